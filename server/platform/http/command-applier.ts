import type { CommandBody, CommandKind, WireCommand } from '#contract/sync/commands.ts'
import type { Refusal } from '#contract/core/errors.ts'
import type { Permission, Role } from '#contract/core/roles.ts'
import type { Collection } from '#contract/sync/sync.ts'
import type { RevisionScope, Writing } from '#server/platform/db/database.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * How a feature takes part in sync. It says what each of its commands does; `server/sync` does the rest (author,
 * exactly once, receipts, order). The types are here, beside `handler.ts`, because features may not import
 * `server/sync`.
 */

/** The author: proven by their session or by a capture token, with their name and rights from the database. */
export type Author = {
  id_user: number
  name: string
  role_ids: readonly Role[]
  permissions: ReadonlySet<Permission>
}

/** A row that the command made or changed, in the form of a pull: it travels with the receipt. */
export type AppliedRow = { collection: Collection; row: Record<string, unknown> }
export type Applied = { rows: AppliedRow[] }

/** A punch carries a password instead of a proof of its author, so it has no author. */
export type AuthorOf<K extends CommandKind> = K extends 'punch.record' ? Author | null : Author

export type CommandContext<K extends CommandKind> = {
  /** The open transaction, with the scopes that the applier's `scopes` named. */
  writing: Writing
  services: Services
  command: WireCommand
  /** Upcast to today's version and parsed. */
  body: CommandBody<K>
  author: AuthorOf<K>
  /** The session that delivered it; null for a punch that came without one. */
  deliverer: Scope | null
  /** When it happened in server time: the device's clock corrected by its measured offset, never later than `receivedAt`. */
  capturedAt: string
  receivedAt: string
}

/** Does the work inside the transaction. Throws `Refusal` to refuse: everything it wrote is then undone. */
export type CommandApplier<K extends CommandKind> = (context: CommandContext<K>) => Promise<Applied>

/** The scopes and the work of one command. */
export type CommandMeaning<K extends CommandKind> = {
  /** The revisions that it raises before the transaction's first statement. */
  scopes: readonly RevisionScope[]
  apply: CommandApplier<K>
  /**
   * Applies a run of commands of this kind with few statements. Returns the results in their order, a refusal as a
   * value. A refused command must have written nothing, and no later try may cure it.
   */
  applyRun?: (contexts: CommandContext<K>[]) => Promise<(Applied | Refusal)[]>
  /**
   * The command changes rows of other commands, so it begins its own transaction. In theirs, their receipts would bring
   * another row of the same revision than a pull does, and a device could not tell which is newer.
   */
  changesOthers?: true
}

type IncomingCommand<K extends CommandKind> = { command: WireCommand; body: CommandBody<K>; services: Services; deliverer: Scope }

/** How a feature handles a kind of command. Most entries are use cases (`use-case.ts`), which calls share. */
export type CommandEntry<K extends CommandKind> = {
  /** The permission that the author needs in the command's store; null for none. */
  permission: Permission | null
  /** Reads and proves everything that it needs before the transaction begins. @throws Refusal */
  prepare: (incoming: IncomingCommand<K>) => Promise<CommandMeaning<K>>
  /** Extra work when a command with a receipt arrives again, beside repeating the answer. */
  repeated?: (incoming: IncomingCommand<K>) => Promise<void>
}

export type CommandEntries<Kinds extends CommandKind> = { [K in Kinds]: CommandEntry<K> }
