import { knownCredential, send } from './request.browser.ts'
import type { Trial } from './trial.ts'

const longestShown = 20_000

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const labelled = (label: string, input: HTMLElement) => element('label', {}, label, input)

const bodyInput = ({ kind, example }: NonNullable<Trial['body']>) => {
  if (kind !== 'json') return element('input', { name: 'body', type: 'file', required: true })
  const value = JSON.stringify(example, null, 2)
  return element('textarea', { name: 'body', value, rows: Math.min(16, value.split('\n').length + 1) })
}

const inputs = ({ credentials, fields, body }: Trial) => [
  ...credentials.map(({ label, header }) =>
    labelled(
      label,
      element('input', {
        name: `credential.${header}`,
        value: knownCredential(header),
        type: 'password',
        autocomplete: 'off',
      }),
    ),
  ),
  ...fields.map(({ name, in: place, value, hint, isRequired }) =>
    labelled(
      name,
      element('input', { name: `${place}.${name}`, value, placeholder: hint, required: isRequired }),
    ),
  ),
  ...(body ? [labelled('Body', bodyInput(body))] : []),
]

const readable = (text: string, type: string) => {
  try {
    return /\bjson\b/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}

const bodyText = async (response: Response) => {
  const type = response.headers.get('content-type') ?? ''
  if (!/^text\/|json|xml|javascript/.test(type)) {
    const { size } = await response.blob()
    return size > 0 ? `${size} bytes of ${type || 'unknown type'}` : ''
  }
  const text = readable(await response.text(), type)
  return text.length > longestShown ? `${text.slice(0, longestShown)}\n…` : text
}

const outcome = async (response: Response, milliseconds: number) => {
  const tone = response.ok ? 'good' : response.status < 500 ? 'warn' : 'bad'
  const status = element('span', { className: `status ${tone}`, textContent: String(response.status) })
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const shown = element('code', { textContent: await bodyText(response) })
  return [
    element('p', {}, status, ` ${response.statusText} in ${milliseconds} ms`),
    element('details', {}, element('summary', {}, 'Headers'), element('pre', { tabIndex: 0 }, headers)),
    element('pre', { tabIndex: 0 }, shown),
  ]
}

const form = (trial: Trial) => {
  const result = element('div', { className: 'result', ariaLive: 'polite' })
  const button = element('button', { type: 'submit', textContent: 'Send' })
  const made = element('form', {}, ...inputs(trial), button, result)
  made.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    const started = performance.now()
    try {
      const response = await send(trial, new FormData(made))
      result.replaceChildren(...(await outcome(response, Math.round(performance.now() - started))))
    } catch {
      result.replaceChildren(element('p', {}, 'No response. Is the service still running?'))
    } finally {
      button.disabled = false
    }
  })
  return made
}

/** Puts a button into each of `places` that opens a form with which to call the operation around it. */
export const addTryIt = (places: HTMLElement[], data: HTMLElement) => {
  const trials = JSON.parse(data.textContent) as Record<string, Trial>
  for (const place of places) {
    const trial = trials[place.closest('.operation')?.id ?? '']
    if (!trial) continue
    const button = element('button', { type: 'button', textContent: 'Try it' })
    button.addEventListener('click', () => {
      const made = form(trial)
      place.replaceChildren(made)
      made.querySelector<HTMLElement>('input, textarea, button')?.focus()
    })
    place.append(button)
  }
}
