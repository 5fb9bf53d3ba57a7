import assert from 'node:assert/strict'
import { BlockList, isIPv4 } from 'node:net'
import { test } from 'node:test'
import { compileConditions, type Facts } from './conditions.ts'

const moment = new Date('2030-01-01T00:00:00.000Z')
const applies = (conditions: object, facts: Partial<Facts> = {}, effect: 'allow' | 'deny' = 'deny') =>
  compileConditions(
    conditions as Record<string, unknown>,
    'conditions',
    effect,
  )({
    ip: '10.1.2.3',
    now: moment,
    ...facts,
  })

test('a statement applies until expiresAt, and from notBefore on', () => {
  const at = (ms: number) => ({ now: new Date(moment.getTime() + ms) })
  const [until, from] = [{ expiresAt: moment.toISOString() }, { notBefore: moment.toISOString() }]
  assert.deepEqual(
    [applies(until, at(-1)), applies(until, at(0)), applies(until, at(1))],
    [true, false, false],
  )
  assert.deepEqual([applies(from, at(-1)), applies(from, at(0)), applies(from, at(1))], [false, true, true])
})

test('an address of IPv4 is the same however the socket spells it', () => {
  const range = '10.0.0.0/8'
  for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:10.1.2.3', '::ffff:a01:203']) {
    assert.equal(applies({ ipCidr: range }, { ip }), true, ip)
    assert.equal(applies({ notIpCidr: range }, { ip }), false, ip)
  }
  for (const ip of ['11.1.2.3', '::ffff:11.1.2.3', '::ffff:b01:203', '::1', '2001:db8::a01:203']) {
    assert.equal(applies({ ipCidr: range }, { ip }), false, ip)
    assert.equal(applies({ notIpCidr: range }, { ip }), true, ip)
  }
})

test('ranges of IPv6 and single addresses are understood; an unknown address matches every deny and no allow', () => {
  assert.equal(applies({ ipCidr: '2001:db8::/32' }, { ip: '2001:db8:1::1' }), true)
  assert.equal(applies({ ipCidr: '2001:db8::/32' }, { ip: '2001:db9::1' }), false)
  assert.equal(applies({ ipCidr: ['192.0.2.1', '10.1.2.3'] }), true)
  for (const condition of [{ ipCidr: '0.0.0.0/0' }, { notIpCidr: '0.0.0.0/0' }]) {
    assert.equal(applies(condition, { ip: '' }, 'deny'), true)
    assert.equal(applies(condition, { ip: '' }, 'allow'), false)
  }
})

test('ranges contain what they contain for the network stack', () => {
  const addresses = ['10.0.0.0', '10.1.2.3', '255.255.255.255', '0.0.0.0', '::', '::1', '::ffff:10.1.2.3', '::ffff:0:0']
  addresses.push('2001:db8::1', '2001:db8::ffff:10.1.2.3', 'fe80::1%eth0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')
  for (const address of addresses)
    for (let bits = 0; bits <= (isIPv4(address) ? 32 : 128); bits++) {
      if (address.includes('%')) continue
      const list = new BlockList()
      list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6')
      for (const ip of addresses) {
        const expected = list.check(ip.replace(/%.*/, ''), isIPv4(ip) ? 'ipv4' : 'ipv6')
        assert.equal(applies({ ipCidr: `${address}/${bits}` }, { ip }), expected, `${ip} in ${address}/${bits}`)
      }
    }
}) // biome-ignore format: as a list

test('a condition has at most 50 ranges', () => {
  const ranges = Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`)
  assert.equal(applies({ ipCidr: ranges.slice(1) }, { ip: '10.0.0.50' }), true)
  assert.throws(() => applies({ ipCidr: ranges }), /at most 50/)
})

test('a prefix applies to a key, to lists below it, and as a deny to lists that contain it', () => {
  const prefix = { prefix: 'a/' }
  for (const [key, expected] of [
    ['a/', true],
    ['a/b', true],
    ['a', false],
    ['b', false],
  ] as const)
    assert.equal(applies(prefix, { key }), expected, key)
  for (const [listed, deny, allow] of [
    ['', true, false],
    ['a', true, false],
    ['a/', true, true],
    ['a/b', true, true],
    ['b', false, false],
    ['ab', false, false],
  ] as const) {
    assert.equal(applies(prefix, { prefix: listed }), deny, `deny ${listed}`)
    assert.equal(applies(prefix, { prefix: listed }, 'allow'), allow, `allow ${listed}`)
  }
  assert.equal(applies(prefix), false, 'neither a key nor a list')
})
