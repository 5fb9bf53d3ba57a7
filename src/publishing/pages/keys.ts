import { html } from '#platform/web/html.ts'
import type { Member, Publishing } from '../context.ts'
import { listKeys } from '../keys/keys.ts'
import type { Key } from '../keys/schema.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { note, ownTabs } from './parts.ts'
import { time } from './time.ts'

type Result = {
  created?: { key: string; name: string }
  entered?: Record<string, string>
  problems?: Problems
}

const row = (key: Key, token: string, now: Date) =>
  html`<tr><th scope="row">${key.name}<br><code>${key.key_prefix}…</code></th><td class="number">${key.posts_today} of ${key.daily_post_limit}</td><td>${key.last_used_at ? time(key.last_used_at, now) : 'never'}</td><td class="number">${
    key.is_active
      ? html`<form method="post" action="/keys/${key.id}/revoke"><input type="hidden" name="token" value="${token}"><details class="menu inplace"><summary aria-label="Revoke ${key.name}">Revoke</summary><div><button class="danger">Yes, revoke</button></div></details></form>`
      : html`<span class="gone">revoked</span>`
  }</td></tr>`

const table = (keys: readonly Key[], token: string, now: Date) =>
  keys.length === 0
    ? html`<div class="empty"><p><strong>No keys yet.</strong></p><p>Create one below and use it to post from a script.</p></div>`
    : html`<div class="table"><table><thead><tr><th scope="col">Key</th><th scope="col" class="number">Posts today</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead><tbody>${keys.map((key) => row(key, token, now))}</tbody></table></div>`

const shownOnce = (created: { key: string; name: string }) =>
  html`<div class="note good" role="status"><p><strong>Your key “${created.name}”.</strong> Copy it now: you will not see it again.</p><div class="code" data-copy><code>${created.key}</code></div></div>`

const example = (base: string) =>
  `curl ${base}/api/posts -H 'X-API-Key: f9k_…' -H 'Content-Type: application/json' -d '{"content": "Hello"}'`

export const keysPage = async (ctx: Publishing, reader: Member, result: Result = {}): Promise<Page> => {
  const keys = await listKeys(ctx, reader)
  const { entered = {}, problems = noProblems } = result
  return {
    title: 'Developer keys',
    main: html`${ownTabs('/keys')}<h1>Developer keys</h1>
<p class="lead">A script with a key can post in your name until you revoke the key. You can have up to five active keys. <a href="/docs">API reference</a></p>
${note(problems.note)}${result.created && shownOnce(result.created)}
${table(keys, reader.formToken, ctx.clock.now())}
<h2>New key</h2>
<form class="form" method="post" action="/keys"><input type="hidden" name="token" value="${reader.formToken}">
${field(problems, { name: 'name', hint: 'What it is for, so that you recognize it later.' }, (its) => html`<input${its} value="${entered.name}" required maxlength="100">`)}
${field(problems, { name: 'daily_post_limit', hint: '1 to 1000. The count starts again at midnight UTC.' }, (its) => html`<input type="number"${its} value="${entered.daily_post_limit ?? '100'}" min="1" max="1000" required>`)}
<div class="end"><button class="primary">Create key</button></div></form>
<p class="lead">For example:</p><div class="code" data-copy><code>${example(ctx.config.urls.publishing)}</code></div>`,
  }
}
