/** Values that the setups of the test projects pass to their tests. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the run's own PostgreSQL, for its superuser. */
    postgresUrl: string
    /** A file with a migrated, empty embedded database. */
    pgliteDump: string
    /** A data folder with the demo clinic, for tests to copy. */
    demoClinic: string
  }
}

export {}
