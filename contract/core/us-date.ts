/** Returns `1941-02-26` as `02/26/1941`. Text that is no day stays. */
export function usDate(day: string): string {
  return day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')
}
