import { type AST, RegExpParser } from '@eslint-community/regexpp'

// Finds out by trying whether an expression takes more than linear time: each of its loops is fed with what it repeats,
// behind what leads to it, and before what ends it or does not.

const maxSamples = 8
const longest = 32_768
const maxMs = 60

const common = ['a', '0', ' ', '\t', '\n', '-', '.', '/', '"', '\\', '=', '<', '\0']

const flagsFor = ({ flags }: RegExp) => flags.replace(/[gy]/g, '')

const parse = ({ source, flags }: RegExp) =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })

const textOf = (codePoint: number) => String.fromCodePoint(codePoint)

/** The characters that an expression names, and some that it does not. */
const alphabetOf = (pattern: AST.Pattern) => {
  const named = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value, min, max } = node as { type?: string; value?: number; min?: AST.Character; max?: AST.Character }
    if (type === 'Character') named.add(textOf(value as number))
    if (type === 'CharacterClassRange') for (const end of [min, max]) named.add(textOf((end as AST.Character).value))
    for (const [key, child] of Object.entries(node)) if (key !== 'parent' && key !== 'references' && key !== 'resolved') visit(child)
  }
  visit(pattern)
  return [...new Set([...common, ...[...named].slice(0, 40)])]
} // biome-ignore format: short

type Attack = { lead: string; pump: string; end: string }

const attacksOn = (expression: RegExp) => {
  const pattern = parse(expression)
  const alphabet = alphabetOf(pattern)
  const flags = flagsFor(expression)

  /** Some texts that a part of the expression matches. */
  const samplesOf = (node: AST.Element): string[] => {
    switch (node.type) {
      case 'Character':
        return [textOf(node.value)]
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const one = new RegExp(`^(?:${node.raw})$`, flags)
        return alphabet.filter((char) => one.test(char)).slice(0, maxSamples)
      }
      case 'Quantifier':
        return samplesOf(node.element).map((sample) => sample.repeat(Math.min(Math.max(node.min, 1), 64)))
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.flatMap(({ elements }) => joined(elements)).slice(0, maxSamples)
      default:
        return []
    }
  }
  /** What some parts match one after another. */
  const joined = (elements: readonly AST.Element[]): string[] => {
    const each = elements.map(samplesOf).filter((samples) => samples.length > 0)
    const most = Math.min(3, Math.max(0, ...each.map(({ length }) => length)))
    return Array.from({ length: most }, (_, n) => each.map((samples) => samples[n % samples.length]).join(''))
  }

  const found = new Map<string, Attack>()
  const add = (attack: Attack) => {
    if (attack.pump !== '') found.set(JSON.stringify(attack), attack)
  }
  const attack = (leads: string[], pumps: string[]) => {
    for (const pump of new Set(pumps))
      for (const end of ['', '\0', '\n', '"', ' !']) {
        for (const lead of new Set(['', ...leads])) {
          add({ lead, pump, end })
          add({ lead: '', pump: lead + pump, end })
        }
        for (const lead of leads) add({ lead: '', pump: lead, end })
      }
  }
  const walk = (alternatives: readonly AST.Alternative[], before: string[]) => {
    for (const { elements } of alternatives)
      for (const [n, element] of elements.entries()) {
        const own = joined(elements.slice(0, n))
        const leads = [...new Set([...own.flatMap((text) => before.map((lead) => lead + text)), ...before])].slice(0, 3)
        if (element.type === 'Quantifier' && element.max > 20) {
          const around = [elements.slice(n - 1, n + 1), elements.slice(n, n + 2), elements.slice(n, n + 3)]
          attack(leads, [...samplesOf(element.element), ...around.flatMap(joined)])
        }
        const inner = element.type === 'Quantifier' ? element.element : element
        if ('alternatives' in inner) walk(inner.alternatives, leads)
      }
  }
  walk(pattern.alternatives, [''])
  return [...found.values()]
} // biome-ignore format: short

const cpuMs = (expression: RegExp, text: string) => {
  const before = process.threadCpuUsage()
  expression.lastIndex = 0
  // Where all matches are looked for, those that are found cost, too.
  if (expression.global) text.replace(expression, '')
  else expression.test(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Texts that make an expression slow, of which each is long enough to show it and no longer. */
export const slowFor = (expression: RegExp): string | undefined => {
  for (const { lead, pump, end } of attacksOn(expression))
    for (let length = 4; length <= longest; length += length < 64 ? 4 : length) {
      const text = lead + pump.repeat(Math.ceil(length / pump.length)) + end
      // The collector of garbage may have been at work the first time.
      if (
        cpuMs(expression, text) > maxMs &&
        cpuMs(expression, text) > maxMs &&
        cpuMs(expression, text) > maxMs
      )
        return `${JSON.stringify(lead)} + ${JSON.stringify(pump)} × ${Math.ceil(length / pump.length)} + ${JSON.stringify(end)}`
    }
  return undefined
}
