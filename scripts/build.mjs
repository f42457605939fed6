// npm run build: the app into dist/ and the server into build/server/.
// With --if-stale it builds only the parts that are older than the sources.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const root = path.resolve(import.meta.dirname, '..')
const at = (...parts) => path.join(root, ...parts)

const shared = ['contract', 'package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs']
const parts = {
  client: {
    sources: [...shared, 'src', 'sw', 'public', 'index.html', 'vite.config.ts'],
    result: 'dist/index.html',
    build: buildClient,
  },
  server: { sources: [...shared, 'server'], result: 'build/server/main.js', build: buildServer },
}
const serverEntries = ['main', 'make-demo', 'restored', 'first-account', 'verify-audit']

/** Chunks of former builds stay for running tabs that still ask for them. */
const formerAssetDays = 14
const compressible = /\.(js|css|html|svg|json|webmanifest|txt)$/

/** Builds the given parts (both when none is named) where they are stale. Returns those that were built. */
export async function buildIfStale(names = Object.keys(parts)) {
  const built = []
  for (const name of names) {
    const { sources, result } = parts[name]
    const isFresh = fs.existsSync(at(result)) && readStamp(name) === fingerprint(sources)
    if (isFresh) continue
    await build(name)
    built.push(name)
  }
  return built
}

async function build(name) {
  const began = Date.now()
  const before = fingerprint(parts[name].sources)
  fs.rmSync(stampFile(name), { force: true })
  await parts[name].build()
  fs.mkdirSync(at('build'), { recursive: true })
  fs.writeFileSync(stampFile(name), before)
  console.log(`built the ${name} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

async function buildClient() {
  const assets = at('dist/assets')
  const kept = at('build/former-assets')
  setAsideAssets(assets, kept)
  // Every caller, a test runner too, gets the production build.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  await vite.build({ root, logLevel: 'warn', build: { emptyOutDir: true } })
  takeOutMaps(at('dist'), at('build/maps'))
  await compressAll(at('dist'))
  bringBackAssets(assets, kept)
}

/** Source maps are for maintainers. The server does not serve them: they would give everyone the sources. */
function takeOutMaps(served, maps) {
  fs.rmSync(maps, { recursive: true, force: true })
  for (const file of filesBelow(served).filter((name) => name.endsWith('.map'))) {
    const kept = path.join(maps, path.relative(served, file))
    fs.mkdirSync(path.dirname(kept), { recursive: true })
    fs.renameSync(file, kept)
  }
}

/** Moves the present chunks to `kept` with today as their last day, and deletes those that were there for too long. */
function setAsideAssets(assets, kept) {
  fs.mkdirSync(kept, { recursive: true })
  const now = new Date()
  for (const name of fs.existsSync(assets) ? fs.readdirSync(assets) : []) {
    const copy = path.join(kept, name)
    if (/\.map(\.|$)/.test(name) || fs.existsSync(copy)) continue
    fs.cpSync(path.join(assets, name), copy)
    fs.utimesSync(copy, now, now)
  }
  // Only now: `assets` has the expired chunks as well, and an earlier deletion would make them look new.
  const oldest = Date.now() - formerAssetDays * 86_400_000
  for (const name of fs.readdirSync(kept)) {
    if (fs.statSync(path.join(kept, name)).mtimeMs < oldest) fs.rmSync(path.join(kept, name))
  }
}

/** Copies the former chunks beside the new ones. A chunk that the new build has too is in use, and has no last day yet. */
function bringBackAssets(assets, kept) {
  for (const name of fs.readdirSync(assets)) fs.rmSync(path.join(kept, name), { force: true })
  fs.cpSync(kept, assets, { recursive: true, preserveTimestamps: true })
}

async function compressAll(folder) {
  const gzip = promisify(zlib.gzip)
  const brotli = promisify(zlib.brotliCompress)
  const files = filesBelow(folder).filter((file) => compressible.test(file) && fs.statSync(file).size > 1024)
  await Promise.all(
    files.map(async (file) => {
      const bytes = fs.readFileSync(file)
      fs.writeFileSync(`${file}.gz`, await gzip(bytes, { level: 9 }))
      fs.writeFileSync(`${file}.br`, await brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } }))
    }),
  )
}

async function buildServer() {
  const { build: bundle } = await import('esbuild')
  fs.rmSync(at('build/server'), { recursive: true, force: true })
  await bundle({
    absWorkingDir: root,
    entryPoints: serverEntries.map((name) => `server/${name}.ts`),
    outdir: 'build/server',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { '#contract': './contract', '#server': './server' },
    sourcemap: true,
    logLevel: 'warning',
  })
  fs.copyFileSync(at('server/platform/db/pglite-worker.mjs'), at('build/server/pglite-worker.mjs'))
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesBelow(at(source)).sort()) {
      // The build writes the route tree itself.
      if (/\.test\.tsx?$|routeTree\.gen\.ts$/.test(file)) continue
      hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

function filesBelow(place) {
  const found = fs.statSync(place, { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [place]
  return fs.readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(place, entry.name)
    return entry.isDirectory() ? filesBelow(inner) : [inner]
  })
}

function stampFile(name) {
  return at('build', `${name}.fingerprint`)
}

function readStamp(name) {
  return fs.existsSync(stampFile(name)) ? fs.readFileSync(stampFile(name), 'utf8') : null
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--if-stale')) await buildIfStale()
  else for (const name of Object.keys(parts)) await build(name)
}
