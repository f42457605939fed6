// npm run budget: the JavaScript that a route of the built app needs before a user can use it, in bytes after gzip, and the
// libraries that it must not include. Bytes, not times: they are the same on every machine.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const root = path.resolve(import.meta.dirname, '..')
const kilobyte = 1000

/**
 * A route needs the page's own files and the chunks with the modules of `needs`, before a user can read and type. `soon`
 * are the modules that load right after that, while nothing waits; the report shows them, without a limit. `limit` is the
 * most that the build may reach; lower it with every gain. `goal` is the aim. `without` names libraries that the route does
 * not need yet, beside the heavy ones.
 */
const routes = [
  {
    name: 'login',
    needs: ['src/start/front-door.tsx'],
    soon: ['src/start/app.tsx', 'src/sync/engine/exchange.ts'],
    limit: 90 * kilobyte,
    goal: 100 * kilobyte,
  },
  {
    name: 'count sheet',
    needs: ['src/start/app.tsx', 'src/features/app/shell/shell-layout.tsx', 'src/features/counts/count-sheets/count-sheet-screen.tsx'],
    soon: ['src/sync/engine/exchange.ts', 'src/ui/lists/windowing.ts', 'src/features/app/shell/components/navigation-icons.ts'],
    // Signing of commands, held work and the sign-in in place came since 200 KB was reached.
    limit: 204 * kilobyte,
    goal: 200 * kilobyte,
  },
]

/** Libraries that load only when a user needs them. */
const heavy = ['zxing-wasm', 'pdf-lib', 'pdfkit', 'bwip-js', 'jspdf', '@hpke/core']

/** The weight of each route. */
export function weigh(folder, maps = folder) {
  const assets = path.join(folder, 'assets')
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name)
  const chunks = readChunks(assets, path.join(maps, 'assets'), first)
  const chunkOf = (source) => {
    const found = [...chunks].find(([, chunk]) => chunk.sources.some((one) => one.endsWith(source)))
    if (!found) throw new Error(`No chunk of the build holds ${source}`)
    return found[0]
  }
  const bytesOf = (files) => [...files].reduce((sum, file) => sum + chunks.get(file).bytes, 0)
  return routes.map(({ name, needs, soon, limit, goal }) => {
    const loaded = closureOf(chunks, [...first, ...needs.map(chunkOf)])
    const later = closureOf(chunks, [...loaded, ...soon.map(chunkOf)])
    const weights = [...loaded].map((file) => [file, chunks.get(file).bytes])
    const sources = [...loaded].flatMap((file) => chunks.get(file).sources)
    return {
      name,
      limit,
      goal,
      bytes: bytesOf(loaded),
      bytesSoon: bytesOf(later) - bytesOf(loaded),
      tooEarly: heavy.filter((library) => sources.some((source) => source.includes(`node_modules/${library}/`))),
      largest: weights.sort(([, a], [, b]) => b - a).slice(0, 8),
    }
  })
}

/** The browser reads and runs the worker before any page gets a file, so its uncompressed size counts (decision 0071). */
const workerLimit = 48 * kilobyte

/** The parts of the app that the worker does not keep: without the server they would not open. */
export function missingOffline(folder) {
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8')
  const worker = fs.readFileSync(path.join(folder, 'sw.js'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => name)
  const scripts = named.filter((name) => name.endsWith('.js')).map((name) => path.basename(name))
  const chunks = [...readChunks(path.join(folder, 'assets'), path.join(folder, 'assets'), scripts).keys()].map((name) => `assets/${name}`)
  return [...new Set([...named, ...chunks])].filter((name) => !worker.includes(`"${name}"`))
}

/** Every reachable chunk; the chunks of former builds beside them are not reachable. */
function readChunks(assets, maps, first) {
  const chunks = new Map()
  const waiting = [...first]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (chunks.has(file)) continue
    const code = fs.readFileSync(path.join(assets, file), 'utf8')
    const map = path.join(maps, `${file}.map`)
    const imports = namesIn(code, /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`/]+\.js)["'`]/g)
    const later = namesIn(code, /\bimport\(\s*["'`]\.\/([^"'`/]+\.js)["'`]/g)
    const sources = fs.existsSync(map) ? JSON.parse(fs.readFileSync(map, 'utf8')).sources : []
    chunks.set(file, { imports, sources, bytes: zlib.gzipSync(code, { level: 9 }).length })
    waiting.push(...imports, ...later)
  }
  return chunks
}

function namesIn(code, pattern) {
  return [...code.matchAll(pattern)].map(([, name]) => name)
}

function closureOf(chunks, files) {
  const loaded = new Set()
  const waiting = [...files]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    waiting.push(...chunks.get(file).imports)
  }
  return loaded
}

if (process.argv[1] === import.meta.filename) {
  const dist = path.join(root, 'dist')
  const inKilobytes = (bytes) => `${(bytes / kilobyte).toFixed(1)} KB`
  for (const { name, bytes, bytesSoon, limit, goal, tooEarly, largest } of weigh(dist, path.join(root, 'build/maps'))) {
    const isFine = bytes <= limit && tooEarly.length === 0
    const soon = bytesSoon > 0 ? `, and ${inKilobytes(bytesSoon)} soon after` : ''
    console.log(
      `${isFine ? 'fine' : 'TOO MUCH'}: ${name} needs ${inKilobytes(bytes)} of JavaScript (gzip)${soon}; at most ${inKilobytes(limit)}, to reach ${inKilobytes(goal)}`,
    )
    if (isFine) continue
    process.exitCode = 1
    for (const library of tooEarly) console.log(`  ${library} is fetched before anyone needs it`)
    for (const [file, size] of largest) console.log(`  ${inKilobytes(size).padStart(9)}  ${file}`)
  }
  const worker = fs.statSync(path.join(dist, 'sw.js')).size
  const isSmall = worker <= workerLimit
  if (!isSmall) process.exitCode = 1
  console.log(
    `${isSmall ? 'fine' : 'TOO MUCH'}: the worker that every page waits for has ${inKilobytes(worker)}; at most ${inKilobytes(workerLimit)}`,
  )
  const missing = missingOffline(dist)
  if (missing.length > 0) process.exitCode = 1
  console.log(missing.length === 0 ? 'fine: the worker keeps every part of the app' : `NOT KEPT OFFLINE: ${missing.join(', ')}`)
}
