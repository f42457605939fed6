/** The part of PouchDB that the bench uses; the package has no types. */
declare module 'pouchdb-browser' {
  export default class PouchDB<T extends object> {
    constructor(name: string, options?: { auto_compaction?: boolean })
    bulkDocs(docs: (T & { _id: string })[]): Promise<unknown>
    get(id: string): Promise<T>
    info(): Promise<{ doc_count: number }>
    close(): Promise<void>
  }
}
