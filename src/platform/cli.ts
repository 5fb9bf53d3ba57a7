import { inspect } from 'node:util'
import {
  CommanderError,
  type CommandUnknownOpts,
  Help,
  InvalidArgumentError,
} from '@commander-js/extra-typings'
import { AppError, OperatorError } from '#platform/errors.ts'
import { harmless, printable } from '#platform/printable.ts'

export type Output = { write(text: string): unknown }

/** Runs the work of a command against the running system, or against a stopped one that is opened for it. */
export type Operate<Context> = (work: (ctx: Context) => Promise<void>) => Promise<void>

/** Says that one of several things went wrong, while the command goes on. */
export const complain = (text: string) => process.stderr.write(`trivet: ${printable(text)}\n`)

/** Ends a command with exit code 1 when it has already said what is wrong. */
export class CommandFailed extends Error {}

/** Reads the value of an option that takes a whole number. */
export const integer = (text: string) => {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number is expected.')
  return Number(text)
}

const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads the value of an option that says when something ends. A day without a time ends when it is over, in UTC. */
export const ending = (text: string) => {
  const [, day, time] = DATE.exec(text) ?? []
  const value = new Date(text)
  // Date turns 30 February into 2 March: a real day is still the same after the round trip.
  if (!day || Number.isNaN(value.getTime()) || !new Date(day).toISOString().startsWith(day))
    throw new InvalidArgumentError('A date such as 2030-01-31 or 2030-01-31T12:00:00Z is expected.')
  return time ? value : new Date(`${day}T23:59:59.999Z`)
}

/** For `addHelpText('after', …)`. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`

const pathOf = (command: CommandUnknownOpts): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const leavesOf = (command: CommandUnknownOpts): CommandUnknownOpts[] =>
  command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command]

/** Lists every command below a group with its full path, not only the next word. */
class FullHelp extends Help {
  override visibleCommands(command: CommandUnknownOpts) {
    return command.commands.flatMap(leavesOf)
  }
  override subcommandTerm(command: CommandUnknownOpts) {
    return pathOf(command)
  }
}

/** Commander lets the last of two equal options win, and takes the next option for a missing value. */
const refuseDoubtfulValues = (command: CommandUnknownOpts) => {
  const given = new Set<string>()
  const missing = new Set<unknown>(['', '--help', ...command.options.map(({ long }) => long)])
  for (const option of command.options)
    command.on(`option:${option.name()}`, (value?: string) => {
      if (given.has(option.name()) && !option.variadic)
        command.error(`error: option '${option.flags}' given twice`)
      given.add(option.name())
      if (missing.has(value)) command.error(`error: option '${option.flags}' argument missing`)
    })
}

/** Commander reports a misspelt required option as missing; checked last, it is unknown, with a suggestion. */
const checkRequiredLast = (command: CommandUnknownOpts) => {
  const required = command.options.filter(({ mandatory }) => mandatory)
  command.usage([...required.map(({ flags }) => flags), command.usage()].join(' '))
  for (const option of required) {
    option.makeOptionMandatory(false)
    option.description += ' (required)'
  }
  command.hook('preAction', () => {
    for (const option of required)
      if (command.getOptionValue(option.attributeName()) === undefined)
        command.error(`error: required option '${option.flags}' not specified`)
  })
}

const prepare = (command: CommandUnknownOpts, program: CommandUnknownOpts) => {
  for (const child of command.commands) {
    child.copyInheritedSettings(program)
    if (!child.helpGroup()) child.helpGroup(command.helpGroup())
    prepare(child, program)
  }
  if (command.commands.length > 0) return
  refuseDoubtfulValues(command)
  checkRequiredLast(command)
  command.showHelpAfterError(`Usage: ${program.name()} ${pathOf(command)} ${command.usage()}`)
}

const childOf = (command: CommandUnknownOpts, word: string) =>
  command.commands.find((child) => child.name() === word)

/** Like commander's own, which looks only one word deep. */
const addHelpCommand = (program: CommandUnknownOpts) =>
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('Show the help of a command')
    .action(async (words) => {
      let command = program
      for (const word of words) {
        const child = childOf(command, word)
        // Commander itself reports the unknown word, with a suggestion.
        if (!child && command.commands.length > 0) await command.parseAsync([word], { from: 'user' })
        command = child ?? command
      }
      command.outputHelp()
    })

/** The program, or the group of commands, if nothing more is named. */
const groupOf = (program: CommandUnknownOpts, argv: readonly string[]) => {
  let command: CommandUnknownOpts | undefined = program
  for (const word of argv) command = command && childOf(command, word)
  return command && command.commands.length > 0 ? command : undefined
}

/** Commander suggests a word up to three changes away, which for a short one may have hardly a letter in common. */
const withoutFarSuggestion = (text: string) =>
  text.replace(/'(\S+)'\s+\(Did you mean (\S+)\?\)/, (whole, typed: string, suggested: string) => {
    const strange = [...typed].filter((letter) => !suggested.includes(letter))
    return strange.length > 1 ? `'${typed}'` : whole
  })

const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')

/**
 * Runs the command that `argv` names, of the program that writes to this output. Returns the exit code: 0 done, 1 failed,
 * 2 wrong command line.
 */
export const runCli = async (
  programFor: (stdout: Output) => CommandUnknownOpts,
  argv: readonly string[],
  streams: { stdout: Output; stderr: Output },
): Promise<number> => {
  const [stdout, stderr] = [harmless(streams.stdout), harmless(streams.stderr)]
  const program = programFor(stdout)
  const report = (message: string) => stderr.write(`${program.name()}: ${oneLine(message)}\n`)
  program
    .exitOverride()
    .helpOption('-h, --help', 'Show this help')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text) => report(withoutFarSuggestion(text.replace(/^error: /, ''))),
    })
    .configureHelp({
      // Only here: suggestions for an unknown word need the next words alone.
      formatHelp: (command) => {
        const help = new FullHelp()
        return help.formatHelp(command, help)
      },
    })
  addHelpCommand(program)
  prepare(program, program)
  try {
    const group = groupOf(program, argv)
    if (group) group.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof AppError || error instanceof OperatorError) report(error.message)
    else if (!(error instanceof CommandFailed)) stderr.write(`${inspect(error)}\n`)
    return 1
  }
}
