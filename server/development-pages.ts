import type { RequestListener, Server } from 'node:http'

/** Serves the app's pages straight from their sources, with hot reload over the same port. */
export function developmentPages(root: string): (server: Server) => Promise<RequestListener> {
  return async (server) => {
    const { createServer } = await import('vite')
    const vite = await createServer({ root, server: { middlewareMode: true, hmr: { server } }, appType: 'spa' })
    return (incoming, outgoing) => vite.middlewares(incoming, outgoing)
  }
}
