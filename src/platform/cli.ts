import { inspect, parseArgs } from 'node:util'
import { AppError } from '#platform/errors.ts'

/** Something the operator can put right: shown as one line, without a stack. So is any error with `expected`. */
export class OperatorError extends Error {
  readonly expected = true
  override readonly name = 'OperatorError'
}

type Kinds = { string: string; boolean: boolean; integer: number; date: Date }

/** `value` is the placeholder in the help. An option `maxUses` is written `--max-uses`. */
type Option = {
  description: string
  value?: string
  required?: boolean
} & ({ type: 'string'; choices?: readonly string[] } | { type: Exclude<keyof Kinds, 'string'> })
type Options = Record<string, Option>

type ValueOf<O extends Option> = O extends { choices: readonly (infer Choice)[] } ? Choice : Kinds[O['type']]
type Arguments<O extends Options, P extends string> = {
  [Name in keyof O]: O[Name] extends { required: true } | { type: 'boolean' }
    ? ValueOf<O[Name]>
    : ValueOf<O[Name]> | undefined
} & { [Name in P]: string }

type Definition<O extends Options, P extends string> = {
  words: readonly string[]
  summary: string
  options?: O
  /** Names of what must follow the words, in this order. */
  positionals?: readonly P[]
  examples?: readonly string[]
  /** Resolves to the exit code, 0 when it names none. */
  run(values: Arguments<O, P>, stdout: Output): Promise<number | undefined> | Promise<void>
}

type Parsed = Record<string, string | number | boolean | Date | undefined>
export type Command = Omit<Definition<Options, string>, 'run'> & {
  run(values: Parsed, stdout: Output): Promise<number | undefined> | Promise<void>
}

/** Types the values that `run` receives from the options beside it. */
export const command = <const O extends Options = Record<never, never>, const P extends string = never>(
  definition: Definition<O, P>,
): Command => definition

export type Program = { name: string; summary: string; commands: readonly Command[]; footer?: string }
type Output = { write(text: string): unknown }

const HELP_FLAGS = ['--help', '-h']
const WIDTH = 80

/** A wrong command line: exit code 2, and the usage of the command, unless the word alone says it all. */
class UsageError extends Error {}
class UnknownWord extends UsageError {}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const flagOf = (name: string) => `--${kebab(name)}`

const PLACEHOLDERS = { integer: 'N', date: 'DATE', string: 'TEXT', boolean: '' }

const placeholder = (option: Option) =>
  option.value ??
  ('choices' in option && option.choices ? option.choices.join('|') : PLACEHOLDERS[option.type])

const flagWithValue = (name: string, option: Option) => `${flagOf(name)} ${placeholder(option)}`.trimEnd()

const usage = (program: Program, { words, positionals = [], options = {} }: Command) =>
  [
    program.name,
    ...words,
    ...positionals.map((name) => `<${kebab(name)}>`),
    ...Object.entries(options).map(([name, option]) =>
      option.required ? flagWithValue(name, option) : `[${flagWithValue(name, option)}]`,
    ),
  ].join(' ')

const wrap = (text: string, width: number) => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines
}

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`] : []

const aligned = (rows: readonly (readonly [string, string])[]) => {
  const left = Math.max(...rows.map(([label]) => label.length)) + 3
  return rows.map(([label, text]) =>
    (label.padEnd(left) + wrap(text, WIDTH - 2 - left).join(`\n${' '.repeat(left + 2)}`)).trimEnd(),
  )
}

const page = (...parts: string[]) => `${parts.join('\n\n')}\n`

const listHelp = (program: Program, words: readonly string[], commands: readonly Command[]) =>
  page(
    ...(words.length === 0 ? [wrap(program.summary, WIDTH).join('\n')] : []),
    ...section('Usage', [[program.name, ...words, '<command>', '[options]'].join(' ')]),
    ...section('Commands', aligned(commands.map((each) => [each.words.join(' '), each.summary]))),
    `"${[program.name, 'help', ...words].join(' ')} <command>" shows the options of one.`,
    ...(program.footer && words.length === 0 ? [program.footer] : []),
  )

const commandHelp = (program: Program, { summary, options = {}, examples = [], ...rest }: Command) => {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      [flagWithValue(name, option), option.description + (option.required ? ' (required)' : '')] as const,
  )
  return page(
    wrap(summary, WIDTH).join('\n'),
    ...section('Usage', [usage(program, { summary, options, ...rest })]),
    ...(rows.length > 0 ? section('Options', aligned(rows)) : []),
    ...section('Examples', examples),
  )
}

/** Edits from one word to the other: insert, delete, replace, or swap two neighbours. */
const distance = (from: string, to: string) => {
  const table = Array.from({ length: from.length + 1 }, (_, i) => [i, ...Array<number>(to.length).fill(0)])
  for (let j = 0; j <= to.length; j++) table[0]![j] = j
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? table[i - 2]![j - 2]! + 1
          : Number.POSITIVE_INFINITY
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, replaced, swapped)
    }
  }
  return table[from.length]![to.length]!
}

const didYouMean = (word: string, known: readonly string[], prefix = '') => {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  return best ? ` Did you mean "${prefix}${best.candidate}"?` : ''
}

const startsWith = (words: readonly string[], start: readonly string[]) =>
  start.every((word, index) => words[index] === word)

const unknownCommand = (program: Program, words: readonly string[]) => {
  const depth = words.findIndex(
    (_, index) => !program.commands.some((each) => startsWith(each.words, words.slice(0, index + 1))),
  )
  const known = words.slice(0, depth)
  const next = program.commands
    .filter((each) => startsWith(each.words, known))
    .map((each) => each.words[depth] ?? '')
  const prefix = known.map((word) => `${word} `).join('')
  const hint = didYouMean(words[depth]!, depth === 0 ? [...next, 'help'] : next, prefix)
  return new UnknownWord(`unknown command "${prefix}${words[depth]}".${hint}`)
}

const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

const parseDate = (text: string) => {
  const [, day] = DATE.exec(text) ?? []
  const date = new Date(text)
  // Date rolls 30 February over into March: a day must survive the round trip.
  const exists = day && !Number.isNaN(date.getTime()) && new Date(day).toISOString().startsWith(day)
  return exists ? date : undefined
}

const parseValue = (name: string, option: Option, text: string) => {
  const refuse = (accepts: string): never => {
    throw new UsageError(`${flagOf(name)} must be ${accepts}, not "${text}".`)
  }
  if (option.type === 'string')
    return option.choices?.includes(text) === false ? refuse(`one of ${option.choices.join(', ')}`) : text
  if (option.type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : refuse('a whole number')
  return parseDate(text) ?? refuse('a date such as 2030-01-31 or 2030-01-31T12:00:00Z')
}

type Token = { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined }

const readOption = (name: string, option: Option, { rawName, value, inlineValue }: Token) => {
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    return true
  }
  // `--code --months 3`: the next option is no value.
  if (!value || (value.startsWith('-') && !inlineValue)) throw new UsageError(`${rawName} needs a value.`)
  return parseValue(name, option, value)
}

const readOptions = (options: Options, tokens: readonly Token[]) => {
  const names = Object.keys(options)
  const values: Parsed = {}
  for (const token of tokens) {
    const name = names.find((each) => flagOf(each) === token.rawName)
    const option = options[name ?? '']
    if (!name || !option) {
      const hint = didYouMean(token.rawName, [...names.map(flagOf), '--help'])
      throw new UnknownWord(`unknown option "${token.rawName}".${hint}`)
    }
    if (name in values) throw new UsageError(`${token.rawName} is given twice.`)
    values[name] = readOption(name, option, token)
  }
  for (const [name, { type, required }] of Object.entries(options)) {
    if (type === 'boolean') values[name] ??= false
    else if (required && !(name in values)) throw new UsageError(`${flagOf(name)} is missing.`)
  }
  return values
}

const readPositionals = (names: readonly string[], given: readonly string[]): Parsed => {
  const missing = names[given.length]
  const surplus = given[names.length]
  if (missing !== undefined) throw new UsageError(`<${kebab(missing)}> is missing.`)
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}".`)
  return Object.fromEntries(names.map((name, index) => [name, given[index]]))
}

const readArguments = ({ options = {}, positionals = [] }: Command, args: readonly string[]): Parsed => {
  const types = Object.entries(options).map(([name, { type }]) => {
    return [kebab(name), { type: type === 'boolean' ? 'boolean' : 'string' }] as const
  })
  const { tokens } = parseArgs({ args, strict: false, tokens: true, options: Object.fromEntries(types) })
  const given = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return {
    ...readOptions(
      options,
      tokens.filter((token) => token.kind === 'option'),
    ),
    ...readPositionals(positionals, given),
  }
}

const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')

const isExpected = (error: unknown): error is Error =>
  error instanceof Error && (error instanceof AppError || ('expected' in error && error.expected === true))

const splitHelp = (argv: readonly string[]) => {
  const start = argv.findIndex((arg) => arg !== 'help')
  const args = start < 0 ? [] : argv.slice(start)
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const asked = argv[0] === 'help' || args.slice(0, end).some((arg) => HELP_FLAGS.includes(arg))
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'))
  return { asked, args, words: firstFlag < 0 ? args : args.slice(0, firstFlag) }
}

const execute = async (program: Program, argv: readonly string[], stdout: Output) => {
  const { asked, args, words } = splitHelp(argv)
  const chosen = program.commands.find((each) => startsWith(words, each.words))
  if (!chosen) {
    const group = program.commands.filter((each) => startsWith(each.words, words))
    if (group.length === 0) throw unknownCommand(program, words)
    const flag = args[words.length]
    if (flag && !asked) throw new UnknownWord(`unknown option "${flag}".${didYouMean(flag, ['--help'])}`)
    stdout.write(listHelp(program, words, group))
    return 0
  }
  if (asked) {
    stdout.write(commandHelp(program, chosen))
    return 0
  }
  try {
    return (await chosen.run(readArguments(chosen, args.slice(chosen.words.length)), stdout)) ?? 0
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof UnknownWord))
      error.message += `\nUsage: ${usage(program, chosen)}`
    throw error
  }
}

/** Runs the command that `argv` names and answers the exit code: 0 done, 1 failed, 2 wrong command line. */
export const runCli = async (
  program: Program,
  argv: readonly string[],
  { stdout, stderr }: { stdout: Output; stderr: Output },
): Promise<number> => {
  try {
    return await execute(program, argv, stdout)
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${program.name}: ${error.message}\n`)
      return 2
    }
    stderr.write(isExpected(error) ? `${program.name}: ${oneLine(error.message)}\n` : `${inspect(error)}\n`)
    return 1
  }
}
