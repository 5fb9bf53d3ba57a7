import { useQueryClient } from '@tanstack/preact-query'
import { Card, Facts } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Key } from '#web/components/key.tsx'
import { toast } from '#web/components/toast.tsx'
import { refreshSession, useSession } from '#web/frame/session.ts'
import { type Account, api } from '../api.ts'

export function Organization({ organization }: Pick<Account, 'organization'>) {
  const queries = useQueryClient()
  const isOwner = useSession().can('organization.update')
  return (
    <Card title="Organization">
      <Facts
        items={[
          ...(isOwner ? [] : ([['Name', organization.name]] as [string, string][])),
          ['Slug', <code key="slug">{organization.slug}</code>],
          ['Id', <Key key="id" text={organization.id} />],
        ]}
      />
      {isOwner && (
        <Form
          initial={{ name: organization.name }}
          submit="Save organization"
          onSubmit={async (body) => {
            const { data } = await api.PATCH('/settings/organization', { body })
            toast('Organization saved')
            await refreshSession()
            queries.setQueryData(['account'], data)
          }}
        >
          {(form) => (
            <TextField
              form={form}
              name="name"
              label="Organization name"
              hint="The slug stays, because addresses contain it."
              required
            />
          )}
        </Form>
      )}
    </Card>
  )
}
