import type { CommandBody, CommandKind } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { RevisionScope } from '#server/platform/db/database.ts'
import type { Applied, Author, CommandContext, CommandEntry } from '#server/platform/http/command-applier.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * One use case behind a call and a command. A tablet that has a connection makes the call; one that has none makes the command, which may
 * arrive much later. Both run the same `apply`, exactly once.
 */

/** The user who does the work: the person who is signed in, or the author of a command. `store_id` is the store that they work in. */
export type Actor = Author & { store_id: number; device_id: string }

/** The actor of a call. */
export function actorOf(scope: Scope): Actor {
  const { id_user, name, role_ids, permissions, store_id } = scope
  return { id_user, name, role_ids, permissions, store_id, device_id: tabletOf(scope) }
}

/** A punch proves itself, and a discard is about another command: neither is a use case. */
type UseCaseKind = Exclude<CommandKind, 'punch.record' | 'command.discard'>

export type UseCaseContext<K extends CommandKind, Asked = CommandBody<K>> = Pick<
  CommandContext<K>,
  'writing' | 'services' | 'deliverer' | 'capturedAt' | 'receivedAt'
> & {
  /** Of the command, in lower case: a repeat has the same. */
  id: string
  actor: Actor
  body: Asked
}

/** Does the work inside the transaction. Throws `Refusal` to refuse: everything it wrote is then undone. */
export type Apply<K extends CommandKind, Asked = CommandBody<K>, Done extends Applied = Applied> = (
  context: UseCaseContext<K, Asked>,
) => Promise<Done>

type Asking<Asked> = { store_id: number; body: Asked; services: Services }

type Definition<K extends UseCaseKind, Asked, Done extends Applied> = {
  /** What the actor must be allowed in the store. */
  permission: Permission
  /** Which revisions are raised for it, before the transaction's first statement. May throw `Refusal`. */
  scopes: (asking: Asking<Asked>) => readonly RevisionScope[] | Promise<readonly RevisionScope[]>
  /** Makes what is asked for from the body of a command. Needed where a call asks for more than a command can. */
  asked?: (body: CommandBody<K>) => Asked
  apply: Apply<K, Asked, Done>
  /**
   * Applies a run of commands of this kind with few statements. Answers in their order, a refusal as a value;
   * a refused command must have written nothing, and no later try may cure it.
   */
  applyRun?: (contexts: UseCaseContext<K, Asked>[]) => Promise<(Applied | Refusal)[]>
  changesOthers?: true
}

export type UseCase<K extends CommandKind, Asked, Done extends Applied> = CommandEntry<K> &
  Pick<Definition<never, Asked, Done>, 'scopes'> & { kind: K; permission: Permission; apply: Apply<K, Asked, Done> }

export function defineUseCase<K extends UseCaseKind, Done extends Applied, Asked = CommandBody<K>>(
  kind: K,
  definition: Definition<K, Asked, Done> & (CommandBody<K> extends Asked ? unknown : { asked: (body: CommandBody<K>) => Asked }),
): UseCase<K, Asked, Done> {
  const { permission, scopes, asked, apply, applyRun, changesOthers } = definition
  // Without `asked` the type of `definition` makes sure that the body is what is asked for.
  const read = asked ?? ((body: CommandBody<K>) => body as unknown as Asked)
  const contextOf = ({ command, author, body, ...rest }: CommandContext<K>): UseCaseContext<K, Asked> => {
    const { store_id, device_id } = command
    const actor = { ...(author as Author), store_id: needed(store_id), device_id }
    return { ...rest, id: command.id.toLowerCase(), actor, body: read(body) }
  }
  const applyCommand = (context: CommandContext<K>) => apply(contextOf(context))
  // One function for all: neighbors with the same one are applied together.
  const applyCommands = applyRun && ((contexts: CommandContext<K>[]) => applyRun(contexts.map(contextOf)))
  return {
    kind,
    permission,
    scopes,
    apply,
    prepare: async ({ command, body, services }) => ({
      scopes: await scopes({ store_id: needed(command.store_id), body: read(body), services }),
      apply: applyCommand,
      applyRun: applyCommands,
      changesOthers,
    }),
  }
}

/** @throws Refusal request-invalid for a command of no store */
function needed(storeId: number | null): number {
  if (storeId === null) throw new Refusal('request-invalid', { fields: [{ path: 'store_id', message: 'this is done in a store' }] })
  return storeId
}
