declare module 'virtual:worker-tasks' {
  /** Where the script with the worker's tasks lies: see vite.config.ts. */
  const address: string
  export default address
}
