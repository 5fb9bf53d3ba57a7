type Range = { type: string; weight: number }

const rangesIn = (accept: string): Range[] =>
  accept
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [type = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { type, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })

/**
 * Whether a client would rather have a page than JSON, as browsers do when they open an address. Programs that accept
 * anything, and scripts in pages, get JSON.
 */
export const prefersHtml = ({ accept = '' }: { accept?: string | undefined }) => {
  const ranges = rangesIn(accept)
  const weightOf = (...types: string[]) =>
    types.map((type) => ranges.find((range) => range.type === type)?.weight).find((w) => w !== undefined) ?? 0
  return weightOf('text/html') > weightOf('application/json', 'application/*', '*/*')
}
