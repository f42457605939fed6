import { resultOf } from '#src/db/indexed/request.ts'

/** The name of a database that holds nothing, and is there for a moment only. */
const name = 'lorgnette-new-log'

/**
 * Has Chromium begin a new log for all databases of the app. Resolves when it was told to, some ms before it has.
 *
 * A browser that is killed may leave half a record at the end of its log. The next one writes on behind it, and the one
 * after that takes the log for corrupted and deletes every database of the app, with what had been called saved. On the
 * deletion of a database it moves what the log holds to a table, and begins another log. Other engines do not mind.
 *
 * @throws DOMException what the browser says, such as QuotaExceededError; all stays as it was
 */
export async function beginNewLog(factory: IDBFactory): Promise<void> {
  // What is not there is not deleted, and the log would stay.
  const database = await resultOf(factory.open(name, 1))
  database.close()
  await resultOf(factory.deleteDatabase(name))
}
