import { Command } from '@commander-js/extra-typings'
import { examples, type Operate, type Output } from '#platform/cli.ts'
import type { Kind } from '#platform/config/kinds.ts'
import { variables } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { readSetting } from './files.ts'
import type { InstanceSettings } from './instance.ts'
import { type Instance, isFileSetting } from './settings.ts'
import type { Stored } from './store.ts'

type Named = { instance: InstanceSettings }

const kinds: Record<string, Kind<string>> = {
  name: variables.INSTANCE_NAME.kind,
  description: variables.INSTANCE_DESCRIPTION.kind,
  color: variables.INSTANCE_COLOR.kind,
  language: variables.INSTANCE_LANGUAGE.kind,
  contact: variables.INSTANCE_CONTACT.kind,
}

const readValue = async (name: string, text: string): Promise<Stored> => {
  if (isFileSetting(name)) return readSetting(name, text, `The file ${text}`)
  const kind = kinds[name]!
  return { [name]: kind.read(text) ?? refuse(`--${name} must be ${kind.accepts}`) }
}

const refuse = (message: string): never => {
  throw new OperatorError(message)
}

const refuseFixed = ({ instance }: Named, names: string[]) => {
  for (const name of names)
    if (instance.fixed.has(name))
      refuse(`${name} is set by INSTANCE_${name.toUpperCase()}, which stands above what is stored`)
}

const shown = (value: Instance[keyof Instance]) => {
  if (value === null || value === '') return '–'
  if (Buffer.isBuffer(value)) return `a picture of ${value.length} bytes`
  return value.includes('\n') ? `${value.length} characters of text` : value
}

const show = ({ instance }: Named, stdout: Output) => {
  for (const [name, value] of Object.entries(instance.current))
    stdout.write(`${name.padEnd(12)} ${shown(value)}${instance.fixed.has(name) ? ' (environment)' : ''}\n`)
}

/** `trivet publishing instance`: what the installation is called, and what its operator has to say. */
export const instanceCommand = (operate: Operate<Named>, stdout: Output) => {
  const instance = new Command('instance').description('Name, looks and legal pages of this instance')
  instance
    .command('show')
    .description('Print the settings, and which of them the environment sets')
    .action(() => operate(async (ctx) => show(ctx, stdout)))
  instance
    .command('set')
    .description('Change settings; running servers take them over within a second')
    .option('--name <name>', 'Name, in pages, feeds, mails and both consoles')
    .option('--description <text>', 'What it is for, in one or two sentences')
    .option('--color <color>', 'Accent of the pages, such as #0f766e')
    .option('--language <language>', 'Language of what people write here, such as en or pt-BR')
    .option('--contact <address>', 'Email address or https address of the operator')
    .option('--logo <file>', 'A picture, scaled to at most 512 by 512')
    .option('--rules <file>', 'Rules for people who write here, in Markdown')
    .option('--privacy <file>', 'Privacy policy, in Markdown')
    .option('--imprint <file>', 'Who is responsible, in Markdown; required by law in some countries')
    .addHelpText(
      'after',
      examples(
        'trivet publishing instance set --name "Harbour Notes" --contact hello@harbour.example',
        'trivet publishing instance set --logo logo.png --imprint imprint.md',
      ),
    )
    .action((options) =>
      operate(async (ctx) => {
        const given = Object.entries(options) as [string, string][]
        if (given.length === 0) refuse('Nothing to set: name at least one setting')
        refuseFixed(
          ctx,
          given.map(([name]) => name),
        )
        const values: Stored[] = await Promise.all(given.map(([name, text]) => readValue(name, text)))
        await ctx.instance.save((stored) => Object.assign({}, stored, ...values))
        show(ctx, stdout)
      }),
    )
  instance
    .command('unset')
    .description('Take settings back')
    .requiredOption(
      '--setting <name...>',
      'Which: name, description, color, language, contact, logo, rules …',
    )
    .addHelpText('after', examples('trivet publishing instance unset --setting logo imprint'))
    .action(({ setting }) =>
      operate(async (ctx) => {
        const names = [setting].flat()
        for (const name of names)
          if (!(name in kinds) && !isFileSetting(name)) refuse(`There is no setting called ${name}`)
        refuseFixed(ctx, names)
        await ctx.instance.save((stored) =>
          Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name))),
        )
        show(ctx, stdout)
      }),
    )
  return instance
}
