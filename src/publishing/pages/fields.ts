import { type AppError, InvalidInput, type Problem } from '#platform/errors.ts'
import { type Html, html } from '#platform/web/html.ts'

/** The labels of fields, in the order in which forms show them. */
const labels: Record<string, string> = {
  content: 'Post',
  username: 'Name',
  name: 'Name',
  handle: 'Handle',
  email: 'Email',
  password: 'Password',
  current_password: 'Current password',
  new_password: 'New password',
  bio: 'About you',
  location: 'Location',
  website: 'Website',
  language: 'Language',
  notification_mails: 'Mails about notifications',
  avatar: 'New picture',
  banner: 'New banner',
  picture: 'The picture',
  avatar_url: 'Picture',
  banner_url: 'Banner',
  daily_post_limit: 'Posts a day',
}

/** What is wrong with a form that was sent: a note above it, and messages below its fields. */
export type Problems = { note?: string; fields: Readonly<Record<string, string>> }

export const noProblems: Problems = { fields: {} }

const inWords = ({ field, reason }: Problem) => {
  const label = labels[field] ?? (field === 'token' ? 'The link' : field)
  return `${label} ${reason}`
}

/** Refusals that are about one field, although they do not name it. */
const fieldOf: Record<string, string> = {
  'Handle is taken': 'handle',
  'Email is already in use': 'email',
  'Invalid password': 'password',
  'The current password is wrong': 'current_password',
}

export const problemsOf = (error: AppError): Problems => {
  if (!(error instanceof InvalidInput) || !error.details) {
    const field = fieldOf[error.message]
    return field ? { fields: { [field]: error.message } } : { note: error.message, fields: {} }
  }
  const atFields = error.details.filter(({ field }) => field in labels)
  const others = error.details.filter(({ field }) => !(field in labels))
  return {
    fields: Object.fromEntries(atFields.map((problem) => [problem.field, inWords(problem)])),
    ...(others.length > 0 ? { note: others.map(inWords).join('; ') } : {}),
  }
}

/** The attributes of an input: its name, and what describes it. */
const attributes = (name: string, hint: string | undefined, { fields }: Problems) => {
  const problem = fields[name]
  const descriptions = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean)
  const isFirst = Object.keys(labels).find((each) => each in fields) === name
  return html` id="field-${name}" name="${name}"${descriptions.length > 0 && html` aria-describedby="${descriptions.join(' ')}"`}${problem && html` aria-invalid="true"`}${isFirst && html` autofocus`}`
}

/** A labelled input, with the reason below it why it was refused. The first one that was refused has the focus. */
export const field = (
  problems: Problems,
  { name, label = labels[name], hint }: { name: string; label?: string; hint?: string },
  input: (attributes: Html) => Html,
) => {
  const problem = problems.fields[name]
  return html`<div class="field"><label for="field-${name}">${label}</label>${hint && html`<small id="${name}-hint">${hint}</small>`}${input(attributes(name, hint, problems))}${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}</div>`
}
