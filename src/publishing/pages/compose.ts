import { notFound } from '#platform/errors.ts'
import { type Html, html } from '#platform/web/html.ts'
import type { Member, Publishing } from '../context.ts'
import { readPost } from '../posts/posts.ts'
import type { Post } from '../posts/schema.ts'
import { pathTo } from './actions.ts'
import { field, noProblems, type Problems } from './fields.ts'
import { ownPath } from './forms.ts'
import type { Page } from './page.ts'
import { note } from './parts.ts'
import { postCard } from './post.ts'

export type Draft = {
  reply?: number
  quote?: number
  edit?: number
  content?: string
  replySettings?: string
  /** The page to return to without writing anything. */
  back?: string
  /** What the text will look like. */
  preview?: Html
  problems?: Problems
}

const titles = { reply: 'Reply', quote: 'Quote', edit: 'Edit', post: 'Write a post' } as const
type Kind = keyof typeof titles

const kindOf = ({ reply, quote, edit }: Draft): Kind =>
  reply ? 'reply' : quote ? 'quote' : edit ? 'edit' : 'post'

const settings = (chosen = 'everyone') =>
  html`<label>Replies from <select name="replySettings">${Object.entries({
    everyone: 'everyone',
    following: 'people I follow',
    mentioned: 'people I mention',
  }).map(
    ([value, name]) => html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`,
  )}</select></label>`

/** Back to the page that led here, to the very post if it is in a list; else to the post, or home. */
const cancelPath = ({ back }: Draft, target: Post | null) => {
  const otherwise = target ? pathTo(target) : '/home'
  if (!back) return otherwise
  const path = ownPath(back, otherwise)
  return target && !path.includes('#') ? `${path}#p-${target.id}` : path
}

/** The place in the form where the preview stands. */
export const previewPart = (shown?: Html) =>
  html`<div class="preview">${shown && html`<p>Preview</p><div class="content" dir="auto">${shown}</div>`}</div>`

/** The form, below the post that it replies to or quotes. */
export const composePage = async (ctx: Publishing, reader: Member, draft: Draft): Promise<Page> => {
  const kind = kindOf(draft)
  const targetId = draft.reply ?? draft.quote ?? draft.edit
  const target: Post | null = targetId === undefined ? null : await readPost(ctx, reader, targetId)
  if (kind === 'edit' && target?.author.id !== reader.userId) notFound('Post not found')
  const { problems = noProblems } = draft
  const content = draft.content ?? (kind === 'edit' ? target?.content : '')
  const title = titles[kind]
  return {
    title,
    main: html`<h1>${title}</h1>${note(problems.note)}
${target && kind !== 'edit' && html`<div class="posts">${postCard(target, { now: ctx.clock.now() })}</div>`}
<form class="form" method="post" action="/compose"><input type="hidden" name="token" value="${reader.formToken}">${targetId !== undefined && html`<input type="hidden" name="${kind}" value="${targetId}">`}${draft.back && html`<input type="hidden" name="back" value="${draft.back}">`}
${field(problems, { name: 'content', hint: 'Up to 280 characters. **bold**, *italic*, `code`, [links](https://…), #tags and @mentions work.' }, (its) => html`<textarea${its} required data-count="left" dir="auto"${!('content' in problems.fields) && html` autofocus`}>${content}</textarea>`)}
${previewPart(draft.preview)}
<div class="end">${(kind === 'post' || kind === 'quote') && settings(draft.replySettings)}<div class="decision"><output id="left"></output><a class="cancel" href="${cancelPath(draft, target)}">Cancel</a><button name="preview" value="yes" data-swap=".preview">Preview</button><button class="primary">${kind === 'edit' ? 'Save' : 'Publish'}</button></div></div></form>`,
  }
}
