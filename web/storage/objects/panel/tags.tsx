import { useQuery } from '@tanstack/preact-query'
import { Plus, X } from 'lucide-preact'
import { useId } from 'preact/hooks'
import { Button, IconButton } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { toast } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api } from '../../api.ts'
import { fieldProblem } from '../field-problem.ts'
import { renewObjects, tagsQuery } from '../queries.ts'
import type { Place } from '../transfer.ts'
import { Section } from './section.tsx'

type Tag = { name: string; value: string }
type Values = { tags: Tag[] }
const most = 10

const tagsOf = (list: readonly Tag[]) => {
  const named = list.filter(({ name, value }) => name !== '' || value !== '')
  if (named.some(({ name }) => name === '')) throw fieldProblem('tags', 'Each tag needs a name')
  if (new Set(named.map(({ name }) => name)).size < named.length)
    throw fieldProblem('tags', 'Each name may be used once')
  return Object.fromEntries(named.map(({ name, value }) => [name, value]))
}

/** Names and values that can be changed without a new content, by which rules and people sort objects. */
export function Tags({ place, changedAt }: { place: Place; changedAt: string }) {
  const { can } = useSession()
  const { data } = useQuery(tagsQuery(place, changedAt))
  if (!data) return null
  const known = Object.entries(data).map(([name, value]) => ({ name, value }))
  const save = async ({ tags }: Values) => {
    await api.PUT('/buckets/{bucketId}/object-tags', {
      params: { path: { bucketId: place.bucketId }, query: { objectKey: place.key } },
      body: { tags: tagsOf(tags) },
    })
    await renewObjects(place.bucketId)
    toast('Tags saved')
  }
  return (
    <Section title="Tags">
      {can('object.write') ? (
        <Form initial={{ tags: known }} submit="Save changes" onSubmit={save}>
          {(form) => <TagRows form={form} />}
        </Form>
      ) : (
        <ul class="tag-list">
          {known.map(({ name, value }) => (
            <li key={name}>
              {name}: {value}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const TagRows = ({ form }: { form: FormState<Values> }) => {
  const id = useId()
  const { tags } = form.values.value
  const error = form.errorOf('tags')
  const change = (at: number, change: Partial<Tag>) =>
    form.set(
      'tags',
      tags.map((tag, n) => (n === at ? { ...tag, ...change } : tag)),
    )
  return (
    <div class="tag-rows">
      {tags.length === 0 && <p class="quiet">None yet.</p>}
      {tags.map((tag, n) => (
        <div key={n} class="tag-row">
          <input
            aria-label={`Name of tag ${n + 1}`}
            placeholder="Name"
            maxLength={128}
            value={tag.name}
            aria-describedby={error ? id : undefined}
            onInput={(event) => change(n, { name: event.currentTarget.value })}
          />
          <input
            aria-label={`Value of tag ${n + 1}`}
            placeholder="Value"
            maxLength={256}
            value={tag.value}
            onInput={(event) => change(n, { value: event.currentTarget.value })}
          />
          <IconButton
            label={`Remove tag ${n + 1}`}
            icon={X}
            onClick={() =>
              form.set(
                'tags',
                tags.filter((_, at) => at !== n),
              )
            }
          />
        </div>
      ))}
      {error && (
        <p class="field-error" id={id}>
          {error}
        </p>
      )}
      {tags.length < most && (
        <Button icon={Plus} onClick={() => form.set('tags', [...tags, { name: '', value: '' }])}>
          Add tag
        </Button>
      )}
    </div>
  )
}
