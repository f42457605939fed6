import { createReadStream, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { MiddlewareHandler } from 'hono'
import type { HttpEnvironment } from '#server/platform/http/mount-endpoint.ts'

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.mp3': 'audio/mpeg',
}
/**
 * The thread that reads codes from pictures compiles WebAssembly, which pages may not. It may load only its own files,
 * and sees no page and no storage of the app.
 */
const decoderPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/** Compressed copies that the build puts beside its files, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

/**
 * Serves the built app. Files with a hash in their name never change and are kept forever. Browsers request everything
 * else again each time. Any other address belongs to the app itself, which has its own page for unknown ones.
 * @param policyOf returns the policy of a page, by its text
 */
export function staticFiles(folder: string, policyOf: (html: string) => string): MiddlewareHandler<HttpEnvironment> {
  const root = path.resolve(folder)
  /** The policy of each page, for as long as the page stays the same. */
  const policies = new Map<string, { etag: string; policy: string }>()

  function policyFor(page: StaticFile, etag: string): string {
    const known = policies.get(page.name)
    if (known?.etag === etag) return known.policy
    const policy = policyOf(readFileSync(page.name, 'utf8'))
    policies.set(page.name, { etag, policy })
    return policy
  }

  return async (context) => {
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
    const asked = fileFor(root, context.req.path)
    const isFileName = path.extname(context.req.path) !== ''
    const file = asked ?? (isFileName || isBelow(context.req.path, '/assets') ? null : fileFor(root, '/index.html'))
    if (file === null) {
      context.set('route', 'missing file')
      return new Response('Not found', { status: 404, headers: { 'cache-control': 'no-store', 'content-type': 'text/plain' } })
    }
    context.set('route', 'app file')
    const isForEver = isBelow(context.req.path, '/assets')
    const accepted = context.req.header('accept-encoding') ?? ''
    const encoding = encodings.find(({ name, suffix }) => accepted.includes(name) && sizeOf(file.name + suffix) !== null)
    const served = encoding ? file.name + encoding.suffix : file.name
    const etag = `"${file.modified.toString(36)}-${file.size.toString(36)}${encoding ? `-${encoding.name}` : ''}"`
    const headers = new Headers({
      'content-type': contentTypes[path.extname(file.name)] ?? 'application/octet-stream',
      'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      etag,
    })
    if (encoding) headers.set('content-encoding', encoding.name)
    if (path.extname(file.name) === '.html') headers.set('content-security-policy', policyFor(file, etag))
    if (/^\/assets\/decode-worker-[\w-]+\.js$/.test(context.req.path)) headers.set('content-security-policy', decoderPolicy)
    if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
    headers.set('content-length', String(sizeOf(served) ?? file.size))
    if (context.req.method === 'HEAD') return new Response(null, { headers })
    return new Response(Readable.toWeb(createReadStream(served)) as ReadableStream<Uint8Array>, { headers })
  }
}

type StaticFile = { name: string; size: number; modified: number }

/** A source map, compressed or not: a folder from another build may have some. */
const mapName = /\.map(\.(br|gz))?$/i

/**
 * Returns the file at a URL path inside `root`, or null. Never a file outside, a source map, or a name that begins with
 * a dot.
 */
function fileFor(root: string, urlPath: string): StaticFile | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  const name = path.join(root, path.normalize(decoded === '/' ? '/index.html' : decoded))
  if (!name.startsWith(root + path.sep) || decoded.includes('\0') || decoded.includes('/.') || mapName.test(decoded)) return null
  try {
    const found = statSync(name)
    return found.isFile() ? { name, size: found.size, modified: Math.floor(found.mtimeMs) } : null
  } catch {
    return null
  }
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}

function isBelow(urlPath: string, folder: string): boolean {
  return urlPath.startsWith(`${folder}/`)
}
