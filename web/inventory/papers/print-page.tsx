import { Download, Printer } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Page } from '#web/components/page.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { downloadFile, type FileAnswer } from '../shared/download.ts'
import { codesShown } from './barcode.tsx'

type PrintPageProps = {
  title: string
  breadcrumb: { label: string; href: string }[]
  /** The choices before printing: size, copies. */
  choices: ComponentChildren
  error: unknown
  retry: () => unknown
  /** Asks the service for the same paper as a file. */
  pdf: () => Promise<FileAnswer>
  /** The paper; nothing while it is being read. */
  children?: ComponentChildren
}

const printShown = async () => {
  await codesShown()
  print()
}

/** A screen that shows something to print. */
export function PrintPage({ title, breadcrumb, choices, error, retry, pdf, children }: PrintPageProps) {
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    await downloadFile(pdf)
    setBusy(false)
  }
  return (
    <Page
      title={title}
      breadcrumb={breadcrumb}
      actions={
        children && (
          <>
            {choices}
            <Button icon={Download} busy={isBusy} onClick={download}>
              Download PDF
            </Button>
            <Button kind="primary" icon={Printer} onClick={printShown}>
              Print
            </Button>
          </>
        )
      }
    >
      {children ?? (error ? <ErrorState error={error} retry={retry} /> : <Skeleton lines={8} />)}
    </Page>
  )
}

type Option = { value: string; label: string }

export const Choice = (props: {
  label: string
  value: string
  options: Option[]
  onChange: (value: string) => void
}) => (
  <label class="choice">
    <span>{props.label}</span>
    <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
      {props.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
)
