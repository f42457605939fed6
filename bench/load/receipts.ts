/** The tables' ids for the tablets' commands: `command_id` of every receipt, `id` of every scan. */
export type Books = { receipts: readonly string[]; scans: readonly string[] }

/** Every command must have one receipt and one row, and nothing else may be there. Returns the faults, in sentences. */
export function findReceiptFaults(made: readonly string[], books: Books): string[] {
  return [...faultsOf(made, books.receipts, 'receipt'), ...faultsOf(made, books.scans, 'row')]
}

function faultsOf(made: readonly string[], found: readonly string[], what: string): string[] {
  const counts = new Map(made.map((id) => [id, 0]))
  let strangers = 0
  for (const id of found) {
    const count = counts.get(id)
    if (count === undefined) strangers += 1
    else counts.set(id, count + 1)
  }
  const all = [...counts.values()]
  const missing = all.filter((count) => count === 0).length
  const doubled = all.filter((count) => count > 1).length
  return [
    ...(missing > 0 ? [`${missing} of ${made.length} commands have no ${what}`] : []),
    ...(doubled > 0 ? [`${doubled} commands have more than one ${what}`] : []),
    ...(strangers > 0 ? [`${strangers} times a ${what} is of a command that nobody made`] : []),
  ]
}
