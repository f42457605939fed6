import { resultOf } from '#src/db/indexed/request.ts'

/** The name of an empty database that exists for a moment only. */
const name = 'lorgnette-new-log'

/**
 * Makes Chromium begin a new log for all databases of the app. Resolves some ms before Chromium has done so.
 *
 * A browser that is killed may leave half a record at the end of its log. The next browser process writes on behind it.
 * The process after that takes the log for corrupted. It then deletes every database of the app, with data that was
 * reported as saved. When a database is deleted, Chromium moves the log into a table and begins another log. Other
 * engines do not mind.
 *
 * @throws DOMException the browser's error, such as QuotaExceededError; the log then stays unchanged
 */
export async function beginNewLog(factory: IDBFactory): Promise<void> {
  // Deleting a database that does not exist would keep the old log, so create it first.
  const database = await resultOf(factory.open(name, 1))
  database.close()
  await resultOf(factory.deleteDatabase(name))
}
