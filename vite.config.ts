import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import project from './package.json' with { type: 'json' }
import type { RouteChunks } from './src/start/route-chunks.ts'

/**
 * @hpke falls back on node's crypto where there is no Web Crypto. Every browser that can run the app has it, so that
 * branch is never taken, and what it names is the browser's own.
 */
function webCrypto(): Plugin {
  const id = '\0web-crypto'
  return {
    name: 'web-crypto',
    enforce: 'pre',
    resolveId: (source) => (source === 'crypto' ? id : null),
    load: (asked) => (asked === id ? 'export const webcrypto = globalThis.crypto' : null),
  }
}

/** What a call is for stands in the server's description of itself; the app never shows it, and would carry it in its first load. */
function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]contract[\\/](?:[\w-]+[\\/])?[\w-]+\.ts$/.test(id)) return null
      // Its line stays, so that places in the source stay what they were.
      return { code: code.replaceAll(/^ +summary: (?:'[^'\n]*'|"[^"\n]*"),$/gm, ''), map: null }
    },
  }
}

type Chunk = { fileName: string; name: string; imports: string[]; moduleIds: string[] }

/** What a page needs beside its own code before it shows what it is for. */
const besides: Record<string, string> = { index: 'src/sync/patients/patient-shelf.ts', dashboard: 'src/sync/patients/patient-shelf.ts' }

/** Which files each page begins with, from the tree of routes: `src/start/head.ts` asks for them by the address. */
function routeChunks(chunks: readonly Chunk[]): RouteChunks {
  const files: string[] = []
  const place = (file: string) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1)
  const withImports = (file: string): string[] => [
    file,
    ...(chunks.find((one) => one.fileName === file)?.imports.flatMap(withImports) ?? []),
  ]
  const holding = (source: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(source)))
    return chunk ? withImports(chunk.fileName) : []
  }
  const placesOf = (sources: string[], without: readonly number[] = []) => {
    const places = [...new Set(sources.flatMap(holding).map((file) => place(`/${file}`)))]
    return places.filter((one) => !without.includes(one))
  }
  const app = placesOf(['src/start/page.tsx', 'src/start/app.tsx'])
  const routes = fs
    .readdirSync(path.join(import.meta.dirname, 'src/routes/_shell'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.tsx$/, ''))
    .filter((file) => !/(^|\/)-/.test(file))
  const pages = routes.map((route) => {
    const around = routes.filter((other) => route === other || route.startsWith(`${other}/`))
    const sources = around.map((file) => `src/routes/_shell/${file}.tsx?tsr-split=component`)
    const beside = besides[route]
    return [`/${route.replace(/(^|\/)index$/, '')}`, placesOf(beside ? [...sources, beside] : sources, app)] as const
  })
  const width = (pattern: string) => pattern.replaceAll(/\$\w*/g, '~')
  return {
    files,
    login: placesOf(['src/start/page.tsx', 'src/start/front-door.tsx']),
    app,
    pages: pages.sort(([one], [other]) => (width(one) < width(other) ? -1 : 1)),
  }
}

/**
 * The page itself: what runs before anything else of it (src/start/head.ts) stands in it, with the files that each page begins with. Beside
 * the script that finds out what the page will be it asks for the font of its first words.
 */
function pageItself(): Plugin {
  return {
    name: 'page-itself',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const files = Object.values(bundle ?? {})
        // In development there are no chunks to name.
        const chunks = files.filter((file) => file.type === 'chunk')
        const named = chunks.length > 0 ? ` data-chunks='${JSON.stringify(routeChunks(chunks))}'` : ''
        const font = files.find(({ fileName }) => /inter-latin-wght-normal/.test(fileName))
        const script = await oneScript('src/start/head.ts')
        return {
          html: html
            .replace('<!--head-->', () => `<script${named}>${script}</script>`)
            // Named by the app once a page stands: the browser would read it and its pictures first.
            .replace(/<link rel="manifest"[^>]*>/, ''),
          tags: font
            ? [{ tag: 'link', attrs: { rel: 'preload', crossorigin: true, href: `/${font.fileName}`, as: 'font' }, injectTo: 'head' }]
            : [],
        }
      },
    },
  }
}

/** The worker's tasks as a script beside it (sw/lazy-tasks.ts), whose name changes with what stands in it. */
function workerTasks(): Plugin {
  const id = '\0virtual:worker-tasks'
  return {
    name: 'worker-tasks',
    resolveId: (source) => (source === 'virtual:worker-tasks' ? id : null),
    async load(asked) {
      if (asked !== id) return null
      const code = await oneScript('sw/tasks.ts', [webCrypto()])
      const name = `worker-tasks-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
      fs.writeFileSync(path.join(import.meta.dirname, 'dist/assets', name), code)
      return `export default '/assets/${name}'`
    },
  }
}

/** Builds a source and all its imports into one script. */
async function oneScript(source: string, plugins: Plugin[] = []): Promise<string> {
  const made = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    publicDir: false,
    define,
    resolve,
    plugins,
    build: { write: false, target, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const [chunk] = (Array.isArray(made) ? made : [made]).flatMap((one) => ('output' in one ? one.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${source} could not be built`)
  return chunk.code.trim()
}

const target = 'es2022'

// What the app and its worker tell the server of themselves.
const define = { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(project.version) }

// The same code for browsers that know classes and async functions, which all that can run the app do.
const resolve = {
  alias: [
    { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
    // React has had the hook itself since version 18.
    { find: /^use-sync-external-store\/shim\/with-selector$/, replacement: 'use-sync-external-store/with-selector' },
  ],
}

export default defineConfig({
  define,
  resolve,
  plugins: [
    webCrypto(),
    withoutSummaries(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/start/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'service-worker.ts',
      // The app registers the worker itself (src/features/app/install): an update is offered, never forced.
      injectRegister: false,
      registerType: 'prompt',
      integration: {
        beforeBuildServiceWorker(options) {
          // Named for its address, not for its source.
          const file = path.join(path.dirname(options.swDest), 'sw.js')
          options.swDest = file
          options.injectManifest.swDest = file
        },
      },
      injectManifest: {
        buildPlugins: { vite: [webCrypto(), workerTasks()] },
        globPatterns: ['**/*.{js,css,html,woff2,svg,webmanifest,wasm}', 'icons/*.png'],
        // Only the scripts that the interface is written in; the rest is fetched when a text needs it. The browser keeps the worker's own.
        globIgnores: ['assets/worker-tasks-*.js', '**/*-{cyrillic,cyrillic-ext,greek,greek-ext,vietnamese}-*.woff2', 'screenshots/**'],
        maximumFileSizeToCacheInBytes: 3 * 1024 * 1024,
      },
      devOptions: { enabled: false },
      manifest: {
        id: '/',
        name: 'Lorgnette',
        short_name: 'Lorgnette',
        description: 'The back office of a chain of eye-care clinics: counts, stock and the time clock, with and without the internet.',
        lang: 'en',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        orientation: 'any',
        background_color: '#0d1315',
        theme_color: '#0d1315',
        categories: ['business', 'medical', 'productivity'],
        icons: [
          { src: '/icons/lorgnette.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
          { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        screenshots: [
          {
            src: '/screenshots/count-wide.png',
            sizes: '1280x800',
            type: 'image/png',
            form_factor: 'wide',
            label: 'Counting a stockroom on a tablet',
          },
          {
            src: '/screenshots/count-narrow.png',
            sizes: '390x844',
            type: 'image/png',
            form_factor: 'narrow',
            label: 'Counting a stockroom on a phone',
          },
        ],
        shortcuts: [
          {
            name: 'New count',
            description: 'Start counting frames',
            url: '/inventory/count-sheets?new=1',
            icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
          },
          {
            name: 'Clock in/out',
            description: 'Punch the time clock',
            url: '/time-clock',
            icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
          },
        ],
      },
    }),
    pageItself(),
  ],
  build: {
    outDir: 'dist',
    target,
    // Fonts and pictures stay files: the content security policy knows no data: addresses for them.
    assetsInlineLimit: 0,
    // Only for us: no script names its map, and the build moves the maps to a folder that is not served.
    sourcemap: 'hidden',
    modulePreload: {
      // Every browser that can run the app knows modulepreload.
      polyfill: false,
      // Every page would carry the list of chunks and their imports. It grows with each route and has 3 KB now. The app fetches `parts-*`
      // together with the chunk of a page. A page imports the rest, which the worker serves from the second visit on.
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'js' ? needed.filter((file) => file.includes('/parts-')) : needed,
    },
    rolldownOptions: {
      output: {
        // A group holds its files and their imports. One large chunk compresses better than forty small ones. `door` finds out who comes, and
        // fetches `front-door` or `app`. Both import `page`. All import `ground`. Several pages share `parts`.
        codeSplitting: {
          groups: [
            { name: 'door', test: /src[\\/]start[\\/]main\.tsx$/, priority: 7 },
            {
              name: 'ground',
              test: /rolldown[\\/]runtime|node_modules[\\/](uuid|valibot)|contract[\\/]core[\\/]primitives|contract[\\/]people[\\/]session/,
              priority: 6.5,
            },
            {
              name: 'page',
              test: /src[\\/](start[\\/]page|sync[\\/]react[\\/]device-context|features[\\/]app[\\/]shell[\\/]guards|ui[\\/](button|format|notice|quiet-moment|skeleton|spinner|forms[\\/]text-field|toast))\.tsx?$/,
              priority: 6,
            },
            {
              name: 'app',
              test: /src[\\/](start[\\/]app\.tsx$|routes[\\/]_shell\.tsx|features[\\/]app[\\/]shell[\\/]shell-layout\.tsx$)/,
              priority: 2,
            },
            {
              name: 'parts',
              test: /src[\\/](ui[\\/](empty-state|print[\\/]printed-list|progress-bar|forms[\\/]select-field|tabs|lists[\\/]virtual-list)|features[\\/]counts[\\/]count-sheets[\\/](queries|model[\\/](scope-words|sheet-fold)|components[\\/]first-load)|device[\\/]sound)\.tsx?$|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](ban|check|circle-question-mark|printer|scan-barcode|undo-2)\./,
              priority: 1,
            },
            { name: 'exchange', test: /src[\\/]sync[\\/]engine[\\/](exchange|outbox-file)\.ts$/, priority: 1 },
            { name: 'front-door', test: /src[\\/]start[\\/]front-door\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
