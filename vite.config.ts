import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import project from './package.json' with { type: 'json' }

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
      if (!/[\\/]contract[\\/][\w-]+\.ts$/.test(id)) return null
      // Its line stays, so that places in the source stay what they were.
      return { code: code.replaceAll(/^ +summary: (?:'[^'\n]*'|"[^"\n]*"),$/gm, ''), map: null }
    },
  }
}

/** Both the login screen and the app begin with React: it is fetched beside the script that finds out which of them it will be. */
function pageFirst(): Plugin {
  return {
    name: 'page-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const page = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'page')
        if (!page) throw new Error('The build has no chunk that is called page')
        return [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${page.fileName}` }, injectTo: 'head' }]
      },
    },
  }
}

export default defineConfig({
  // What the app and its worker tell the server of themselves.
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(project.version) },
  // The same code for browsers that know classes and async functions, which all that can run the app do.
  resolve: {
    alias: [
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
      // React has had the hook itself since version 18.
      { find: /^use-sync-external-store\/shim\/with-selector$/, replacement: 'use-sync-external-store/with-selector' },
    ],
  },
  plugins: [
    webCrypto(),
    withoutSummaries(),
    pageFirst(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'service-worker.ts',
      // The app registers the worker itself (src/features/install): an update is offered, never forced.
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
        buildPlugins: { vite: [webCrypto()] },
        globPatterns: ['**/*.{js,css,html,woff2,svg,webmanifest,wasm}', 'icons/*.png'],
        // Only the scripts that the interface is written in; the rest is fetched when a text needs it.
        globIgnores: ['**/*-{cyrillic,cyrillic-ext,greek,greek-ext,vietnamese}-*.woff2', 'screenshots/**'],
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
  ],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Fonts and pictures stay files: the content security policy knows no data: addresses for them.
    assetsInlineLimit: 0,
    sourcemap: true,
    modulePreload: {
      // Every browser that can run the app knows modulepreload.
      polyfill: false,
      // A list of which chunk stands on which would be part of every page, and longer with each route: 3 KB by now. What several pages share
      // is fetched beside a page's own chunk; the rest a page asks for itself, and has from the worker from the second visit on.
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'js' ? needed.filter((file) => file.endsWith('.css') || file.includes('/parts-')) : needed,
    },
    rolldownOptions: {
      output: {
        // With what they import: what is needed together is compressed together, and not in forty small pieces. `door` looks
        // who comes and fetches `front-door` or `app`, both of which stand on `page`; `parts` is what several pages share.
        codeSplitting: {
          groups: [
            { name: 'door', test: /src[\\/]main\.tsx$/, priority: 4 },
            {
              name: 'page',
              test: /node_modules[\\/]uuid|contract[\\/]session|src[\\/](page|sync[\\/]device-context|features[\\/]shell[\\/]guards|ui[\\/](button|format|notice|quiet-moment|skeleton|spinner|text-field|toast))\.tsx?$/,
              priority: 3,
            },
            { name: 'app', test: /src[\\/](app\.tsx$|routes[\\/]_shell\.tsx|features[\\/]shell[\\/]shell-layout\.tsx$)/, priority: 2 },
            {
              name: 'parts',
              test: /src[\\/](ui[\\/](badge|empty-state|progress-bar|select-field|tabs|virtual-list)|features[\\/]count-sheets[\\/](queries|scope-words|sheet-fold|components[\\/]first-load)|device[\\/](page-scanner|sound))\.tsx?$|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](ban|check|circle-question-mark|printer|scan-barcode|search|undo-2)\./,
              priority: 1,
            },
            { name: 'exchange', test: /src[\\/]sync[\\/](exchange|outbox-file)\.ts$/, priority: 1 },
            { name: 'front-door', test: /src[\\/]front-door\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
