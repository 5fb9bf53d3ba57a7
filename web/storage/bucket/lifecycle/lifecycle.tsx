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
import { changeRules, lifecycleQuery } from './queries.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { effectsOf, type Rule, type RuleValues, ruleOf, scopeOf } from './rules.ts'

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
  const { data, error, refetch } = useQuery(lifecycleQuery(bucket.id))
  const rules = data?.items
  const [edited, setEdited] = useState<Rule | 'new' | null>(null)

  /** Done at once, with a way back. */
  const change = async (what: string, next: (rules: Rule[]) => Rule[], back: (rules: Rule[]) => Rule[]) => {
    try {
      await changeRules(bucket.id, next)
      toast(what, { undo: () => changeRules(bucket.id, back) })
    } catch (reason) {
      toastError(reason)
    }
  }
  const turn = (rule: Rule, enabled: boolean) => (all: Rule[]) =>
    all.map((one) => (one.id === rule.id ? { ...one, enabled } : one))
  const without = (rule: Rule) => (all: Rule[]) => all.filter(({ id }) => id !== rule.id)
  const back = (rule: Rule) => {
    const index = rules?.findIndex(({ id }) => id === rule.id) ?? 0
    return (all: Rule[]) => (all.some(({ id }) => id === rule.id) ? all : all.toSpliced(index, 0, rule))
  }

  const save = async (values: RuleValues) => {
    const rule = ruleOf(values)
    const isNew = edited === 'new'
    await changeRules(bucket.id, (all) => {
      const index = isNew ? all.length : all.findIndex(({ id }) => id === (edited as Rule).id)
      if (index < 0) throw new Error('Somebody else has deleted this rule in the meantime.')
      return [...all.slice(0, index), rule, ...all.slice(index + 1)]
    })
    toast(isNew ? 'Rule created' : 'Changes saved')
  }

  const actions = (rule: Rule): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => setEdited(rule) },
    {
      label: rule.enabled ? 'Turn off' : 'Turn on',
      icon: Power,
      onSelect: () =>
        change(
          `Rule ${rule.id} turned ${rule.enabled ? 'off' : 'on'}`,
          turn(rule, !rule.enabled),
          turn(rule, rule.enabled),
        ),
    },
    {
      label: 'Delete',
      icon: Trash2,
      danger: true,
      onSelect: () => change(`Rule ${rule.id} deleted`, without(rule), back(rule)),
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
