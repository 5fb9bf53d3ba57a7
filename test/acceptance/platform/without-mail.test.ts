import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form } from '#test/acceptance/publishing/support/forms.ts'
import { boot } from '#test/support/boot.ts'
import { accountsOf } from '#test/support/services.ts'

const contact = 'hello@harbour.example'
const asked = async (env: Record<string, string>) => {
  const system = await boot({ env })
  const { publishing, storage, inventory } = system
  const said: string[] = []
  for (const [name, api] of Object.entries({ storage, publishing, inventory })) {
    const { body } = await accountsOf[name as keyof typeof accountsOf].forgot(api, 'nobody@example.com')
    said.push(body.message ?? body.data.message)
  }
  for (const call of ['GET /forgot-password', 'POST /forgot-password'])
    said.push(
      (await publishing(call, call.startsWith('POST') ? form({ email: 'nobody@example.com' }) : {})).text,
    )
  const reset = (await storage('GET /auth/reset-password')).text
  // Its script has the words for both.
  said.push(reset.replaceAll(/<script.*?<\/script>/gs, ''))
  said.push((await storage('GET /console')).text)
  return said
}

test('where mail is sent, it is promised', async () => {
  for (const text of await asked({ SMTP_URL: 'smtp://127.0.0.1:1', INSTANCE_CONTACT: contact }))
    assert.ok(!text.includes(contact), text)
})

test('where no mail is sent, none is promised, and everything says who can help', async () => {
  for (const text of await asked({ INSTANCE_CONTACT: contact })) {
    assert.ok(text.includes(contact), text)
    assert.doesNotMatch(text, /on its way|will send you|will get an email|Send link|Send a new link/)
  }
})

test('whoever has named no contact is meant all the same', async () => {
  for (const text of await asked({})) assert.match(text, /whoever runs this server/)
})
