import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { permissionTable } from '#contract/core/roles.ts'
import { commandBodies } from '#contract/sync/commands.ts'
import { collectionPermissions } from '#contract/sync/sync.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

/** The cells of a row that hold names, in the order of the columns. `word` is before them, `reason` after them. */
const nameCells = ['addresses', 'folders', 'contracts', 'permissions', 'commands', 'tables'] as const
type NameCell = (typeof nameCells)[number]
type Row = { word: string; reason: string } & Record<NameCell, string[]>

/** The names that the product has. `texts`: the texts of each app folder, and of the pages' menus. */
type Product = Record<NameCell, string[]> & { appFolders: string[]; texts: Record<string, string[]> }

const columns = ['word on the screen', 'address', 'folder', 'contract', 'permission', 'command', 'tables', 'differs because']
const noWord = '–'
const menus = 'menus'

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

/** Returns the rows of the glossary's table of names. */
function rowsOf(markdown: string): Row[] {
  const lines = markdown.split('\n')
  const start = lines.indexOf(`| ${columns.join(' | ')} |`)
  if (start === -1) throw new Error('The glossary has no table of names.')
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) => {
    const [word, addresses, folders, contracts, permissions, commands, tables, reason] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const names = { addresses, folders, contracts, permissions, commands, tables }
    const cells = Object.fromEntries(nameCells.map((cell) => [cell, quoted(names[cell] ?? '')])) as Record<NameCell, string[]>
    return { word: word ?? '', reason: reason ?? '', ...cells }
  })
}

/** Returns the words of a name in the singular, with spaces around: `count_sheets` and `Count sheets` are ` count sheet `. */
function wordsOf(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[\s_-]+/)
    .map((word) =>
      word
        .replace(/ies$/, 'y')
        .replace(/(ch|sh|ss|x)es$/, '$1')
        .replace(/(?<!s)s$/, ''),
    )
  return ` ${words.join(' ')} `
}

const baseOf = (file: string) => path.basename(file, '.ts')
const isEndOf = (part: string, whole: string) => whole.startsWith(part) || whole.endsWith(part)

/**
 * Returns the names of a row that do not share its noun. The noun is the folder's name. Without a folder it is the name of the contract's
 * file, and else of the first table. A name shares the noun when it begins with the noun, or when it is the noun's beginning or end (`count`
 * of count sheet). It may have its area before or after it (`patient_files`, Inventory settings). A table may also end with the noun
 * (`known_tablets`), or begin with the row's short form in its word, permission or command (`count_items`).
 */
function differingNames(row: Row): string[] {
  const [home] = [...row.folders, ...row.contracts]
  const noun = wordsOf(baseOf(home ?? row.tables[0] ?? row.word))
  const area = wordsOf(home?.split('/')[0] ?? '')
  const short = [row.word, ...row.permissions, ...row.commands].filter((name) => isEndOf(wordsOf(name), noun))
  const withoutArea = (words: string) =>
    words.startsWith(area) ? words.slice(area.length - 1) : words.endsWith(area) ? words.slice(0, 1 - area.length) : words
  const begins = (words: string, stem: string) => words.startsWith(stem) || withoutArea(words).startsWith(stem)
  const isShared = (name: string) => begins(wordsOf(baseOf(name)), noun) || isEndOf(wordsOf(baseOf(name)), noun)
  const isSharedTable = (name: string) =>
    wordsOf(name).endsWith(noun) || [noun, ...short.map(wordsOf)].some((stem) => begins(wordsOf(name), stem))
  const others = [row.word, ...row.folders, ...row.contracts, ...row.permissions, ...row.commands]
  return [...others.filter((name) => name !== noWord && !isShared(name)), ...row.tables.filter((name) => !isSharedTable(name))]
}

/** Returns each place where the glossary and the product disagree, as a sentence. */
function disagreements(rows: readonly Row[], product: Product): string[] {
  const found: string[] = []
  for (const cell of nameCells) {
    const named = rows.flatMap((row) => row[cell])
    found.push(...named.filter((name) => !product[cell].includes(name)).map((name) => `${cell}: ${name} does not exist`))
    if (cell === 'addresses') continue
    found.push(...named.filter((name, at) => named.indexOf(name) !== at).map((name) => `${cell}: ${name} has two rows`))
    if (cell === 'contracts') continue
    found.push(...product[cell].filter((name) => !named.includes(name)).map((name) => `${cell}: ${name} has no row`))
  }
  return [...found, ...rows.flatMap((row) => wordlessOrUnexplained(row, product))]
}

function wordlessOrUnexplained(row: Row, product: Product): string[] {
  const names = nameCells.slice(1).flatMap((cell) => row[cell])
  const title = row.word === noWord ? names.join(', ') : row.word
  if (names.length === 0) return [`${title}: the row names nothing`]
  const found: string[] = []
  const own = row.folders.filter((folder) => product.appFolders.includes(folder))
  if (row.word === noWord) found.push(...own.map((folder) => `${folder}: the row has no word on the screen`))
  else {
    const places = own.length > 0 ? [...own, menus] : Object.keys(product.texts)
    const asWord = new RegExp(`\\b${row.word}\\b`)
    const isShown = places.some((place) => product.texts[place]?.some((text) => asWord.test(text)))
    if (!isShown) found.push(`${title}: no text of the screen has this word`)
  }
  const explained = quoted(row.reason)
  const differing = differingNames(row)
  found.push(...differing.filter((name) => !explained.includes(name)).map((name) => `${title}: ${name} differs without a reason`))
  found.push(
    ...explained.filter((name) => !differing.includes(name)).map((name) => `${title}: ${name} does not differ, so it needs no reason`),
  )
  return found
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
}

function featuresOf(side: string): string[] {
  const folders = fs.readdirSync(path.join(root, side), { recursive: true, encoding: 'utf8', withFileTypes: true })
  return folders
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(path.join(root, side), path.join(entry.parentPath, entry.name)))
    .filter((name) => name.split('/').length === 2)
}

/** Returns the texts of a source: what is between quotes, and between the tags of JSX. Comments and imports have none. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$|^import .*$/gm, '')
  return [...code.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`|>([^<>{}]+)[<{]/g)].map((match) => match.slice(1).find(Boolean) ?? '')
}

/** Returns the tables that the migrations leave. */
function tablesOf(migrations: string): string[] {
  const made = [...migrations.matchAll(/\b(?:create table(?: if not exists)?|rename to) ([a-z_]+)/g)].map(([, name]) => name!)
  const dropped = [...migrations.matchAll(/\bdrop table(?: if exists)? ([a-z_]+)/g)].map(([, name]) => name!)
  return [...new Set(made)].filter((name) => !dropped.includes(name))
}

/** Returns the part before the dot of each name, once. */
const prefixesOf = (names: object) => [...new Set(Object.keys(names).map((name) => name.split('.')[0]!))]

function addressesOf(): string[] {
  const tree = [...read('src/start/routeTree.gen.ts').matchAll(/^ {2}'([^']+)': typeof/gm)].map(([, address]) => address!)
  const routes = tree.map((address) => address.replaceAll(/\$\w+/g, ':id').replace(/(?<=.)\/$/, ''))
  return [...routes, ...read('src/start/main.tsx').matchAll(/location\.pathname === '([^']+)'/g)].map((found) =>
    typeof found === 'string' ? found : found[1]!,
  )
}

/** The files of the contract that declare endpoints. */
const hasEndpoint = (file: string) => /\bendpoint\(\{/.test(read(file))

function readProduct(): Product {
  const appFolders = featuresOf('src/features')
  const textsBelow = (folder: string) => filesBelow(folder).flatMap((file) => textsOf(read(file)))
  const menuFiles = ['server/domain/people/home-navigation.ts', 'src/features/patients/patients/patient-layout.tsx']
  return {
    addresses: addressesOf(),
    folders: [...new Set([...appFolders, ...featuresOf('server/features')])],
    contracts: filesBelow('contract').map((file) => path.relative('contract', file)),
    permissions: prefixesOf(permissionTable),
    commands: prefixesOf(commandBodies),
    tables: tablesOf(
      filesBelow('server/platform/db/migrations')
        .map((file) => read(file))
        .join('\n'),
    ),
    appFolders,
    texts: {
      ...Object.fromEntries(appFolders.map((folder) => [folder, textsBelow(`src/features/${folder}`)])),
      [menus]: [...menuFiles.flatMap((file) => textsOf(read(file))), ...textsBelow('src/features/app/shell/model')],
    },
  }
}

describe('the glossary', () => {
  const rows = rowsOf(read('docs/glossary.md'))
  const product = readProduct()

  it('has one row for each feature, permission, command and table, with one noun or a reason', () => {
    expect(product.folders.length).toBeGreaterThan(30)
    expect(product.tables.length).toBeGreaterThan(70)
    expect(disagreements(rows, product)).toEqual([])
  })

  it('names every file of the contract that declares endpoints, and every area of it', () => {
    const named = rows.flatMap((row) => row.contracts)
    const declaring = product.contracts.filter((file) => hasEndpoint(`contract/${file}`))
    expect(declaring.length).toBeGreaterThan(30)
    expect(declaring.filter((file) => !named.includes(file))).toEqual([])
    const areaOf = (file: string) => file.split('/')[0]
    expect(product.contracts.filter((file) => !named.some((other) => areaOf(other) === areaOf(file)))).toEqual([])
  })

  it('has each collection of the sync as a table, in the row of its permission', () => {
    const strays = Object.entries(collectionPermissions).filter(([collection, permission]) => {
      const row = rows.find(({ tables }) => tables.includes(collection))
      return !row?.permissions.includes(permission.split('.')[0]!)
    })
    expect(strays).toEqual([])
  })
})

describe('the check of the glossary', () => {
  const head = `| ${columns.join(' | ')} |\n|---|---|---|---|---|---|---|---|\n`
  const cases = '| Cases | `/cases` | `stock/cases` | `stock/cases.ts` | `case` | `case` | `cases`, `case_lines` | |\n'
  const product: Product = {
    addresses: ['/cases'],
    folders: ['stock/cases'],
    contracts: ['stock/cases.ts'],
    permissions: ['case'],
    commands: ['case'],
    tables: ['cases', 'case_lines'],
    appFolders: ['stock/cases'],
    texts: { 'stock/cases': ['Cases'] },
  }
  const check = (table: string, changes: Partial<Product> = {}) => disagreements(rowsOf(head + table), { ...product, ...changes })

  it('finds a folder, a table, a permission and a command without a row', () => {
    expect(check(cases)).toEqual([])
    expect(check(cases, { folders: ['stock/cases', 'stock/gadgets'] })).toEqual(['folders: stock/gadgets has no row'])
    expect(check(cases, { tables: [...product.tables, 'gadgets'] })).toEqual(['tables: gadgets has no row'])
    expect(check(cases, { permissions: ['case', 'gadget'] })).toEqual(['permissions: gadget has no row'])
    expect(check(cases, { commands: ['case', 'gadget'] })).toEqual(['commands: gadget has no row'])
  })

  it('finds a name that does not exist, a name with two rows, and a word that no screen shows', () => {
    expect(check(cases.replace('`case_lines`', '`case_rows`'))).toEqual([
      'tables: case_rows does not exist',
      'tables: case_lines has no row',
    ])
    expect(check(cases, { addresses: [], contracts: [] })).toHaveLength(2)
    expect(check(`${cases}| Cases | | | | | | \`cases\` | |\n`)).toEqual(['tables: cases has two rows'])
    expect(check(cases, { texts: { 'stock/cases': ['Glasses'] } })).toEqual(['Cases: no text of the screen has this word'])
    expect(check(cases.replace('| Cases |', `| ${noWord} |`))).toEqual(['stock/cases: the row has no word on the screen'])
  })

  it('finds a name that differs without a reason, and a reason without a difference', () => {
    const renamed = cases.replace('`case_lines`', '`case_lines`, `gadgets`')
    const tables = [...product.tables, 'gadgets']
    expect(check(renamed, { tables })).toEqual(['Cases: gadgets differs without a reason'])
    expect(check(renamed.replace('| |\n', '| `gadgets`: a reason. |\n'), { tables })).toEqual([])
    expect(check(cases.replace('| |\n', '| `cases`: a reason. |\n'))).toEqual(['Cases: cases does not differ, so it needs no reason'])
  })

  it('takes the tables from the migrations, without those that a later one drops', () => {
    const tables = tablesOf('create table cases (id int)\nalter table cases rename to cases_before\ndrop table cases_before')
    expect(tables).toEqual(['cases'])
  })

  it('takes words from texts, and not from comments or names in the code', () => {
    expect(textsOf("// 'Cases'\nimport { Cases } from 'Cases'\nconst Cases = 1")).toEqual([])
    expect(textsOf('<p title="Cases">\n  Our cases\n</p>').map((text) => text.trim())).toEqual(['Cases', 'Our cases'])
  })
})
