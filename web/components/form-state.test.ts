import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrivetError } from '#sdk/index.ts'
import { createFormState } from './form-state.ts'

const refusal = (status: number, more: Partial<TrivetError> = {}) =>
  new TrivetError({
    status,
    message: 'No',
    code: more.code ?? null,
    fields: more.fields ?? [],
    requestId: 'r1',
    body: null,
  })

const field = (name: string, required = false) => {
  const focused: string[] = []
  return { focused, field: { name, label: 'Name', required, focus: () => focused.push(name) } }
}

const formWith = (fieldOfCode: Record<string, string> = {}) => {
  const form = createFormState({ name: 'photos', size: 1 }, fieldOfCode)
  const name = field('name', true)
  form.register(name.field)
  return { form, focused: name.focused }
}

test('a second submission while the first is on its way is not sent', async () => {
  const { form } = formWith()
  let sent = 0
  const send = async () => void sent++
  await Promise.all([form.submit(send), form.submit(send)])
  assert.equal(sent, 1)
})

test('a form is sent after the work that it includes, with what that changed', async () => {
  const { form } = formWith()
  const scan = Promise.withResolvers<void>()
  form.include(scan.promise.then(() => form.set('size', 2)))
  const sent: unknown[] = []
  const submitted = form.submit(async ({ size }) => void sent.push(size))
  assert.equal(form.busy.value, true)
  form.include(scan.promise.then(() => Promise.resolve()).then(() => form.set('size', 3)))
  scan.resolve()
  assert.equal(await submitted, true)
  assert.deepEqual(sent, [3])
})

test('a form is not sent if work that it includes fails meanwhile, says why, and can be sent again', async () => {
  const { form } = formWith()
  const scan = Promise.withResolvers<void>()
  form.include(scan.promise)
  let sent = 0
  const submitted = form.submit(async () => void sent++)
  const unknown = new Error('nothing has this code')
  scan.reject(unknown)
  assert.equal(await submitted, false)
  assert.deepEqual([sent, form.busy.value, form.failure.value], [0, false, unknown])
  assert.equal(await form.submit(async () => void sent++), true)
  assert.equal(sent, 1)
})

test('an attempt whose outcome is unknown is repeated under the same key, a refused one is not', async () => {
  const { form } = formWith()
  const keys: string[] = []
  const attempt = (status: number) =>
    form.submit(async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      throw refusal(status)
    })
  for (const status of [0, 503, 409, 409]) await attempt(status)
  form.set('size', 2)
  await attempt(0)
  assert.equal(keys[0], keys[1])
  assert.equal(keys[1], keys[2])
  assert.equal(new Set(keys).size, 3)
})

test('what the API says about a field is shown there and focuses it; the rest is a failure of the form', async () => {
  const { form, focused } = formWith()
  const fields = [{ field: '/name', message: 'name is too short' }]
  await form.submit(() => Promise.reject(refusal(400, { fields })))
  assert.equal(form.errorOf('name'), 'Name is too short')
  assert.equal(form.failure.value, null)
  assert.deepEqual(focused, ['name'])

  const elsewhere = refusal(400, { fields: [{ field: 'region', message: 'region is unknown' }] })
  await form.submit(() => Promise.reject(elsewhere))
  assert.equal(form.failure.value, elsewhere)
})

test('an error without fields goes to the field that its code stands for', async () => {
  const { form } = formWith({ unauthorized: 'name' })
  await form.submit(() => Promise.reject(refusal(401, { code: 'unauthorized' })))
  assert.equal(form.errorOf('name'), 'No')
  assert.equal(form.failure.value, null)
})

test('an error at a field goes when the field is changed, and what was typed stays', async () => {
  const { form } = formWith()
  await form.submit(() => Promise.reject(refusal(400, { fields: [{ field: 'name', message: 'No' }] })))
  form.set('name', 'other')
  assert.equal(form.errorOf('name'), undefined)
  assert.deepEqual(form.values.value, { name: 'other', size: 1 })
})

test('a required field that is empty is named without asking the server', async () => {
  const { form } = formWith()
  form.set('name', '')
  assert.equal(await form.submit(() => assert.fail('nothing is sent')), false)
  assert.equal(form.errorOf('name'), 'Name is required')
})

test('what is saved elsewhere is followed by untouched fields, and leaves what was typed', () => {
  const { form } = formWith()
  form.follow({ name: 'pictures', size: 2 })
  assert.deepEqual(form.values.value, { name: 'pictures', size: 2 })
  assert.equal(form.isDirty.value, false)
  form.set('name', 'mine')
  form.follow({ name: 'theirs', size: 3 })
  assert.deepEqual(form.values.value, { name: 'mine', size: 3 })
  assert.equal(form.isDirty.value, true)
  form.follow({ name: 'mine', size: 3 })
  assert.equal(form.isDirty.value, false, 'somebody else saved the same')
})
