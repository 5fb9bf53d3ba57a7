import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The absolute path of a program. A missing one is installed from its Debian package if we are root. */
export const debianProgram = async (program: string, packageName: string): Promise<string> => {
  const missing = `${program} is missing: install the package "${packageName}"`
  if (!find(program)) {
    if (process.getuid?.() !== 0 || !find('apt-get')) throw new Error(missing)
    await install(packageName).catch((cause) => {
      throw new Error(`${missing} (apt-get could not)`, { cause })
    })
  }
  const path = find(program)
  if (!path) throw new Error(missing)
  return path
}

/** Installs packages, of each of which a file is named, all at once: that takes a fraction of the time. */
export const debianPackages = async (packages: Record<string, string>) => {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] as string))
  if (missing.length === 0) return
  const needed = `Install the packages ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !find('apt-get')) throw new Error(needed)
  await install(...missing).catch((cause) => {
    throw new Error(`${needed} (apt-get could not)`, { cause })
  })
}

const python = '/usr/bin/python3'

/** Debian's Python with a module, which is installed from its Debian package if it is missing and we are root. */
export const debianPython = async (module: string, packageName: string): Promise<string> => {
  const load = () => run(python, ['-c', `import ${module}`])
  try {
    await load()
  } catch {
    if (process.getuid?.() === 0 && find('apt-get')) await install(packageName).catch(() => {})
    await load().catch((cause) => {
      throw new Error(`The module ${module} is missing: install the package "${packageName}"`, { cause })
    })
  }
  return python
}

// Servers may be in sbin folders, which are not on the PATH of every account.
const folders = () => [
  ...(process.env.PATH ?? '').split(delimiter),
  ...['/usr/local/sbin', '/usr/sbin', '/usr/bin'],
  ...globSync('/usr/lib/postgresql/*/bin'),
]

const find = (program: string) =>
  folders()
    .map((folder) => join(folder, program))
    .find(isExecutable)

const isExecutable = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The policy prevents Debian from starting a server after its installation. */
const script = `
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
  fi
  install() { apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"; }
  install "$@" || { apt-get update -qq && install "$@"; }`

/** Test files run in parallel, so they take turns with a lock. */
const install = (...packageNames: string[]) =>
  run('flock', ['/var/cache/apt', 'sh', '-c', script, 'sh', ...packageNames], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  })
