/** A file with its path below the folder that it goes to. */
export type Chosen = { file: File; path: string }

/** Of an input: with `webkitdirectory` each file tells its path, beginning with the chosen folder. */
export const chosenFiles = (files: Iterable<File>): Chosen[] =>
  [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

type Entry = Pick<FileSystemEntry, 'isFile' | 'isDirectory' | 'name'>

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A reader returns at most 100 entries at a time, and none when there are no more. */
const entriesOf = async (folder: FileSystemDirectoryEntry) => {
  const reader = folder.createReader()
  const read = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
  const all: FileSystemEntry[] = []
  for (let some = await read(); some.length > 0; some = await read()) all.push(...some)
  return all
}

async function* filesBelow(entry: Entry, path: string): AsyncGenerator<Chosen, void> {
  if (entry.isFile) yield { file: await fileOf(entry as FileSystemFileEntry), path: path + entry.name }
  if (entry.isDirectory)
    for (const child of await entriesOf(entry as FileSystemDirectoryEntry))
      yield* filesBelow(child, `${path}${entry.name}/`)
}

type Item = { webkitGetAsEntry(): Entry | null; getAsFile(): File | null }
type Dropped = { items: Iterable<Item>; files: Iterable<File> }

/** Of a drop, folders with all that is in them. The entries must be asked for before the event ends. */
export const droppedFiles = ({ items, files }: Dropped): AsyncGenerator<Chosen, void> => {
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const plain = chosenFiles(files)
  return (async function* () {
    if (dropped.length === 0) yield* plain
    for (const { entry, file } of dropped)
      if (entry) yield* filesBelow(entry, '')
      else if (file) yield { file, path: file.name }
  })()
}

const typesByExtension: Record<string, string> = {
  md: 'text/markdown',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  yml: 'application/yaml',
  yaml: 'application/yaml',
}

/** Browsers know the types of few files. */
export const contentTypeOf = ({ name, type }: { name: string; type: string }) => {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const known = Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined
  return type || known || 'application/octet-stream'
}
