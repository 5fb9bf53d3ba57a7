import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'

/** An option that takes a value: the values to choose from, `folder` if it is a path, or nothing to suggest. */
type Value = { flag: string; choices: readonly string[]; isFolder: boolean }
/** A command or a group of commands by its words, with what may follow it. */
type Place = { words: string; next: string[]; values: Value[] }

const placesOf = (command: CommandUnknownOpts, words: string[] = []): Place[] => {
  const help = command.createHelp()
  const options = help.visibleOptions(command)
  // Each group has an implicit `help` of its own.
  const children = help.visibleCommands(command).filter((child) => command.commands.includes(child))
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const place = {
    words: words.join(' '),
    next: [...children.map((child) => child.name()), ...choices, ...options.map(({ long }) => long ?? '')],
    values: options
      .filter(({ required }) => required)
      .map(({ long, argChoices, flags }) => ({
        flag: long ?? '',
        choices: argChoices ?? [],
        isFolder: flags.endsWith('<dir>'),
      })),
  }
  return [place, ...children.flatMap((child) => placesOf(child, [...words, child.name()]))]
}

const joined = (...words: string[]) => words.filter(Boolean).join(' ')
const cases = (lines: string[]) => lines.map((line) => `    ${line}`).join('\n')

/** bash and zsh differ in how words are numbered and how suggestions are made; the rest is the same. */
const shellFunction = (
  places: Place[],
  sh: {
    head: string
    before: string
    previous: string
    folders: string
    suggest(words: string): string
    tail: string
  },
) => `${sh.head}
  local at='' word
  for word in ${sh.before}; do
    case "\${at:+$at }$word" in
${cases([`${places.flatMap(({ words }) => (words ? [`'${words}'`] : [])).join('|')}) at="\${at:+$at }$word" ;;`])}
    esac
  done
  case "\${at:+$at }${sh.previous}" in
${cases(
  places.flatMap(({ words, values }) =>
    values.map(
      ({ flag, choices, isFolder }) =>
        `'${joined(words, flag)}') ${isFolder ? sh.folders : sh.suggest(choices.join(' '))}; return ;;`,
    ),
  ),
)}
  esac
  case "$at" in
${cases(places.map(({ words, next }) => `'${words}') ${sh.suggest(next.join(' '))} ;;`))}
  esac
}
${sh.tail}
`

const bash = (places: Place[]) =>
  shellFunction(places, {
    head: `_trivet() {\n  local cur=\${COMP_WORDS[COMP_CWORD]}\n  COMPREPLY=()`,
    before: `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`,
    previous: `\${COMP_WORDS[COMP_CWORD-1]}`,
    folders: 'COMPREPLY=($(compgen -d -- "$cur"))',
    suggest: (words) => `COMPREPLY=($(compgen -W '${words}' -- "$cur"))`,
    tail: 'complete -F _trivet trivet',
  })

const zsh = (places: Place[]) =>
  shellFunction(places, {
    head: '#compdef trivet\n_trivet() {',
    before: `"\${(@)words[2,CURRENT-1]}"`,
    previous: `\${words[CURRENT-1]}`,
    folders: '_files -/',
    suggest: (words) => `compadd -- ${words}`,
    tail: '(( $+functions[compdef] )) && compdef _trivet trivet',
  })

const fish = (places: Place[]) => `function __trivet_at
  set -l at
  for word in (commandline -opc)[2..]
    set -l longer (string join -- ' ' $at $word)
    contains -- $longer ${places.flatMap(({ words }) => (words ? [`'${words}'`] : [])).join(' ')}; and set at $longer
  end
  test "$at" = "$argv[1]"
end
complete -c trivet -f
${places
  .flatMap(({ words, next, values }) => {
    const here = `complete -c trivet -n '__trivet_at "${words}"'`
    return next.map((word) => {
      if (!word.startsWith('--')) return `${here} -a '${word}'`
      const value = values.find(({ flag }) => flag === word)
      const takes = value
        ? ` -x -a '${value.isFolder ? '(__fish_complete_directories)' : value.choices.join(' ')}'`
        : ''
      return `${here} -l ${word.slice(2)}${takes}`
    })
  })
  .join('\n')}
`

const shells = { bash, zsh, fish }

export const completionCommand = (stdout: Output, program: () => CommandUnknownOpts) =>
  new Command('completion')
    .description('Print the completion of this command for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      examples(
        'source <(trivet completion bash)',
        'source <(trivet completion zsh)',
        'trivet completion fish | source',
      ),
    )
    .action((shell) => void stdout.write(shells[shell](placesOf(program()))))
