import { Copy, Plus, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge, type Tone } from '#web/components/badge.tsx'
import { Button, CopyButton, IconButton } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { Chart } from '#web/components/chart.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Dialog, Drawer } from '#web/components/dialog.tsx'
import { bytes } from '#web/components/format.ts'
import { Key } from '#web/components/key.tsx'
import { Menu } from '#web/components/menu.tsx'
import { Meter, ProgressBar } from '#web/components/meter.tsx'
import { Page } from '#web/components/page.tsx'
import { Denied, Empty, ErrorState, NothingFound, Skeleton } from '#web/components/states.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import { toast } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { ShownForm } from './showcase-form.tsx'
import { ShownTable } from './showcase-table.tsx'

const tones: Tone[] = ['quiet', 'good', 'warn', 'bad', 'accent']
const days = Array.from({ length: 30 }, (_, n) => Date.UTC(2026, 9, n + 1) / 1000)
const gib = 2 ** 30

/** Every component in every state, for whoever builds a screen. Only offered in `npm run dev`. */
export function Showcase() {
  return (
    <Page
      title="Components"
      text="What screens are made of"
      actions={
        <Button kind="primary" icon={Plus}>
          First step
        </Button>
      }
      tabs={
        <Tabs
          label="Example"
          items={[
            { label: 'All', href: '/console/components', count: 12 },
            { label: 'Another address', href: '/console/components?tab=other' },
          ]}
        />
      }
    >
      <Buttons />
      <Overlays />
      <Card title="Forms">
        <ShownForm />
      </Card>
      <ShownTable />
      <Card title="Values">
        <div class="toolbar">
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        <Facts
          items={[
            ['Moment', <When key="when" at="2026-11-16T12:00:00Z" />],
            ['Size', bytes(1_234_567_890)],
            ['Key', <Key key="key" text={`2026/harbour/${'long-'.repeat(20)}name.jpeg`} />],
          ]}
        />
      </Card>
      <Card title="Amounts">
        <Meter label="Storage" value={30 * gib} max={100 * gib} format={bytes} />
        <Meter label="Bandwidth" value={85 * gib} max={100 * gib} format={bytes} />
        <Meter label="Objects" value={99 * gib} max={100 * gib} format={bytes} />
        <ProgressBar label="boats.mp4" value={40} max={100} />
        <ProgressBar label="paused.mp4" value={40} max={100} kind="paused" />
        <ProgressBar label="failed.mp4" value={40} max={100} kind="failed" />
        <ProgressBar label="Unknown length" value={0} max={null} />
      </Card>
      <Chart
        title="Storage by day"
        unit="bytes"
        format={bytes}
        xs={days}
        series={[{ label: 'Stored', values: days.map((_, n) => (20 + n * 2 + 5 * Math.sin(n)) * gib) }]}
        limit={{ label: 'Quota', value: 80 * gib }}
      />
      <Empty title="Nothing here yet" text="What this is for, and the first step." />
      <ErrorState error={new Error('The disk is full')} retry={() => toast('Tried again')} />
      <NothingFound onClear={() => toast('Cleared')} />
      <Denied roles={['owner']} />
      <Skeleton />
    </Page>
  )
}

const Buttons = () => (
  <Card title="Buttons">
    <div class="toolbar">
      <Button kind="primary" icon={Plus}>
        Primary
      </Button>
      <Button icon={Copy}>Plain</Button>
      <Button kind="danger" icon={Trash2}>
        Danger
      </Button>
      <Button busy>Busy</Button>
      <Button disabled>Disabled</Button>
      <IconButton label="Remove" icon={Trash2} />
      <CopyButton text="copied" />
      <CopyButton text="copied" label="Copy address">
        Copy address
      </CopyButton>
    </div>
  </Card>
)

const Overlays = () => {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null)
  const close = () => setOpen(null)
  const ask = async () => {
    const isSure = await confirm({
      title: 'Delete the bucket photos?',
      text: 'Its 12 objects are lost for good.',
      verb: 'Delete bucket',
      danger: true,
    })
    toast(isSure ? 'Deleted' : 'Kept', { undo: () => toast('Back again') })
  }
  return (
    <Card title="Overlays">
      <div class="toolbar">
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Button onClick={ask}>Question</Button>
        <Button onClick={() => toast('Saved')}>Toast</Button>
        <Menu
          label="Actions for photos"
          items={[
            { label: 'Copy', icon: Copy, onSelect: () => toast('Copied') },
            { label: 'Delete', icon: Trash2, danger: true, onSelect: ask },
          ]}
        />
      </div>
      {open === 'dialog' && (
        <Dialog title="A dialog" onClose={close}>
          <ShownForm onCancel={close} />
        </Dialog>
      )}
      {open === 'drawer' && (
        <Drawer title="A drawer" onClose={close}>
          <ShownForm onCancel={close} />
        </Drawer>
      )}
    </Card>
  )
}
