/** What the setups of the test projects hand to their tests. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the run's own PostgreSQL listens, as its superuser. */
    postgresUrl: string
    /** A file with a migrated, empty embedded database. */
    pgliteDump: string
    /** A data folder with the demo clinic, to be copied. */
    demoClinic: string
  }
}

export {}
