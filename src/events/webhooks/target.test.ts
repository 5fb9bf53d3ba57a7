import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '#platform/config.ts'
import { isPublicAddress } from './public-addresses.ts'
import { createTargets, RefusedTarget } from './target.ts'

const config = readConfig({ INVENTORY_URL: 'https://inventory.example.org' }, '/')
const lax = readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }, '/')

test('only addresses on the internet are public', () => {
  for (const address of [
    '93.184.216.34',
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '172.32.0.1',
    '2606:2800:21f::1',
  ])
    assert.ok(isPublicAddress(address), address)
  for (const address of [
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254', '172.16.0.1',
    '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.19.255.255', '198.51.100.7',
    '203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:10.0.0.1',
    '::ffff:8.8.8.8', '::10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::',
    '3fff::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'nonsense', '',
  ]) // biome-ignore format: one list
    assert.ok(!isPublicAddress(address), address)
})

const refusal = (url: string, from = config) => {
  try {
    createTargets(from).check(url)
    return null
  } catch (error) {
    assert.ok(error instanceof RefusedTarget, String(error))
    return error.message
  }
}

test('addresses that could reach inside are refused when a webhook is created', () => {
  for (const host of [
    '127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.8',
    '169.254.169.254', 'localhost', 'LOCALHOST', 'x.localhost', 'localhost.', '[fd00:ec2::254]', '0',
  ]) // biome-ignore format: one list
    assert.equal(refusal(`https://${host}/hook`), 'must not be a private address', host)
  assert.equal(refusal('http://example.com/'), 'must begin with https://')
  assert.equal(refusal('https://u@example.com/'), 'must not contain credentials')
  for (const port of [22, 25, 1023])
    assert.equal(
      refusal(`https://example.com:${port}/`),
      'must not name a port below 1024 other than 80 and 443',
    )
  for (const port of [80, 443, 1024, 65535]) assert.equal(refusal(`https://example.com:${port}/`), null)
  assert.equal(refusal('https://inventory.example.org/api'), 'must not be an address of this server')
  assert.equal(refusal('https://inventory.example.org:8443/api'), null)
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'gopher://x', '', '//x'])
    assert.equal(refusal(url), 'must be a web address that begins with https://')
})

test('with WEBHOOKS_ALLOW_PRIVATE private addresses are allowed, but not our own, nor other low ports', () => {
  assert.equal(refusal('http://127.0.0.1:9000/', lax), null)
  assert.equal(refusal('http://10.0.0.1/', lax), null)
  const ours = [
    '127.0.0.1', '127.0.0.2', 'localhost', 'LOCALHOST.', 'x.localhost', '[::1]', '[::]', '0', '0.0.0.0', '2130706433',
    '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]',
  ] // biome-ignore format: one list
  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  for (const { address, family, scopeid } of interfaces)
    if (!scopeid) ours.push(family === 'IPv6' ? `[${address}]` : address)
  const proxied = readConfig(
    { WEBHOOKS_ALLOW_PRIVATE: 'on', INVENTORY_URL: 'https://inventory.example.org' },
    '/',
  )
  for (const from of [lax, proxied])
    for (const host of ours)
      assert.equal(refusal(`http://${host}:4003/`, from), 'must not be an address of this server', host)
  assert.equal(refusal('http://10.0.0.1:22/', lax), 'must not name a port below 1024 other than 80 and 443')
})

test('a name is resolved each time, and each of its addresses must be public', async () => {
  let addresses = ['93.184.216.34']
  const targets = createTargets(config, async () => addresses)
  const found = await targets.resolve('https://hooks.example.com/a?b=1')
  assert.deepEqual([found.addresses, found.host, found.port], [addresses, 'hooks.example.com', 443])
  for (addresses of [['10.0.0.1'], ['93.184.216.34', '::1'], ['::ffff:192.168.0.1'], ['169.254.169.254'], []])
    await assert.rejects(targets.resolve('https://hooks.example.com/'), RefusedTarget)
  addresses = ['93.184.216.34', '2606:2800:21f::1']
  assert.equal((await targets.resolve('https://hooks.example.com/')).addresses.length, 2)
})
