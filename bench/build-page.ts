import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')

/** Bundles the bench's page: the modules of the app as they ship, and the peers, all minified alike. Returns the folder. */
export async function buildPage(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-bench-page-'))
  await build({
    absWorkingDir: root,
    entryPoints: ['page.ts', 'sqlite-worker.ts', 'workbox-worker.ts', 'bare.ts', 'bare-react.tsx', 'bare-worker.ts'].map(
      (name) => `bench/page/${name}`,
    ),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    platform: 'browser',
    target: 'es2022',
    define: { 'import.meta.env': '{}', 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    alias: { crypto: './bench/page/web-crypto.ts' },
    logLevel: 'error',
  })
  const sqlite = path.dirname(new URL(import.meta.resolve('@sqlite.org/sqlite-wasm')).pathname)
  const wasm = fs.readdirSync(sqlite, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('sqlite3.wasm'))
  if (wasm) fs.copyFileSync(path.join(sqlite, wasm), path.join(folder, 'sqlite3.wasm'))
  for (const name of ['page', 'bare', 'bare-react']) {
    const html = `<!doctype html><meta charset="utf-8"><title>Bench</title><body></body><script type="module" src="/bench/${name}.js"></script>`
    fs.writeFileSync(path.join(folder, `${name}.html`), html)
  }
  return folder
}
