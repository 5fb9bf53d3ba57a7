import { count } from '#web/components/format.ts'

/** Zero is quiet, so that the eye finds what there is. */
export const Units = ({ n }: { n: number }) => <span class={n === 0 ? 'quiet' : undefined}>{count(n)}</span>
