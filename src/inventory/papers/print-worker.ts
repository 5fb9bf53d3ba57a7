import { parentPort } from 'node:worker_threads'
import { printLabels } from './label-sheet.ts'
import type { Printed, PrintJob } from './printer.ts'
import { printSheet } from './sheet.ts'

/** The other side of `printer.ts`, which sends one job after another. */
const print = async (job: PrintJob): Promise<Printed> => {
  try {
    const pdf = 'paper' in job ? await printSheet(job) : await printLabels(job)
    return { pdf: new Uint8Array(pdf) }
  } catch (error) {
    return { failure: String((error as Error).stack) }
  }
}

parentPort?.on('message', async (job: PrintJob) => {
  const printed = await print(job)
  parentPort?.postMessage(printed, 'pdf' in printed ? [printed.pdf.buffer] : [])
})
