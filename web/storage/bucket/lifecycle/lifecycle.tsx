import { useQuery } from '@tanstack/preact-query'
import { Pencil, Plus, Power, Recycle, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { bytes, date } from '#web/components/format.ts'
import { latest } from '#web/components/latest.ts'
import type { MenuItem } from '#web/components/menu.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import type { BucketTab } from '#web/storage/bucket-tab.ts'
import { lifecycleQuery, saveRules } from './queries.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { effectsOf, type NewRule, type Rule, type RuleValues, ruleOf, scopeOf } from './rules.ts'

const columns: Column<Rule>[] = [
  { key: 'name', title: 'Name', cell: ({ id }) => id },
  { key: 'scope', title: 'Applies to', width: '16rem', cell: (rule) => scopeOf(rule, bytes) },
  {
    key: 'effects',
    title: 'What happens',
    width: '26rem',
    cell: (rule) => (
      <div>
        {effectsOf(rule, date).map((effect) => (
          <div key={effect}>{effect}</div>
        ))}
      </div>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '7rem',
    cell: ({ enabled }) => (enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>),
  },
]

/** By which rules objects, old versions and unfinished uploads of a bucket go by themselves. */
export function Lifecycle({ bucket }: BucketTab) {
  const { data: rules, error, refetch } = useQuery(lifecycleQuery(bucket.id))
  const [edited, setEdited] = useState<Rule | 'new' | null>(null)

  /** Done at once, with a way back to what there was before. */
  const change = async (next: Rule[], what: string) => {
    try {
      await saveRules(bucket.id, next)
      toast(what, { undo: () => saveRules(bucket.id, rules ?? []) })
    } catch (reason) {
      toastError(reason)
    }
  }
  const without = (rule: Rule) => (rules ?? []).filter(({ id }) => id !== rule.id)
  const replaced = (rule: Rule, by: Rule) => (rules ?? []).map((one) => (one.id === rule.id ? by : one))

  const save = async (values: RuleValues) => {
    const rule = ruleOf(values)
    const all: NewRule[] = rules ?? []
    const isNew = edited === 'new'
    const index = isNew ? all.length : all.findIndex(({ id }) => id === (edited as Rule).id)
    if (index < 0) throw new Error('Somebody else has deleted this rule in the meantime.')
    await saveRules(bucket.id, all.toSpliced(index, 1, rule))
    toast(isNew ? 'Rule created' : 'Changes saved')
  }

  const actions = (rule: Rule): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => setEdited(rule) },
    {
      label: rule.enabled ? 'Turn off' : 'Turn on',
      icon: Power,
      onSelect: () =>
        change(
          replaced(rule, { ...rule, enabled: !rule.enabled }),
          `Rule ${rule.id} turned ${rule.enabled ? 'off' : 'on'}`,
        ),
    },
    {
      label: 'Delete',
      icon: Trash2,
      danger: true,
      onSelect: () => change(without(rule), `Rule ${rule.id} deleted`),
    },
  ]

  const newRule = (
    <Button kind="primary" icon={Plus} onClick={() => setEdited('new')}>
      New rule
    </Button>
  )
  return (
    <>
      <p class="quiet note">
        By these rules objects go by themselves. If several apply, the first that is due decides.
      </p>
      <DataTable
        label="Lifecycle rules"
        columns={columns}
        rows={rules}
        rowKey={({ id }) => id}
        rowName={({ id }) => id}
        onOpen={setEdited}
        actions={actions}
        loading={!rules && !error}
        error={error}
        retry={refetch}
        toolbar={rules && rules.length > 0 && newRule}
        empty={
          <Empty
            icon={Recycle}
            title="Nothing goes by itself"
            text="Rules delete objects, old versions and unfinished uploads after some time. Without any, deleted objects can be recovered forever."
            action={newRule}
          />
        }
      />
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? undefined : latest(edited, rules)}
          onSave={save}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}
