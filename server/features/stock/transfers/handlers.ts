import type { transferEndpoints } from '#contract/stock/transfers.ts'
import { beginTransfer, changeTransfer } from '#server/features/stock/transfers/draft-transfer.ts'
import { cancelTransfer, closeTransfer, receiveTransfer, sendTransfer } from '#server/features/stock/transfers/move-transfer.ts'
import { listTransfers, readTransfer } from '#server/features/stock/transfers/read-transfers.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { runCommand } from '#server/platform/http/run-command.ts'

export const transferHandlers: HandlersOf<keyof typeof transferEndpoints> = {
  async listTransfers({ services, scope, query }) {
    return await listTransfers(services.db.pool, scope.store_id, query.tab, query.page)
  },

  async readTransfer({ services, scope, params }) {
    return await readTransfer(services.db.pool, scope, params.id_transfer)
  },

  async createTransfer(call) {
    const { services, scope, body } = call
    await runCommand(call, beginTransfer, () => body)
    return await readTransfer(services.db.pool, scope, body.id_transfer)
  },

  async changeTransfer({ services, scope, params, body }) {
    await changeTransfer(services, scope, params.id_transfer.toLowerCase(), body)
    return await readTransfer(services.db.pool, scope, params.id_transfer)
  },

  async sendTransfer(call) {
    const { services, scope, params, body } = call
    await runCommand(call, sendTransfer, () => ({ id_transfer: params.id_transfer, seen: { version: body.version } }))
    return await readTransfer(services.db.pool, scope, params.id_transfer)
  },

  async receiveTransfer({ services, scope, params, body }) {
    const arrivals = await receiveTransfer(services, scope, params.id_transfer, body.pieces)
    return { arrivals, transfer: await readTransfer(services.db.pool, scope, params.id_transfer) }
  },

  async closeTransfer({ services, scope, params, body }) {
    await closeTransfer(services, scope, params.id_transfer, body.version, body.discrepancy)
    return await readTransfer(services.db.pool, scope, params.id_transfer)
  },

  async cancelTransfer({ services, scope, params, body }) {
    await cancelTransfer(services, scope, params.id_transfer, body.version)
    return await readTransfer(services.db.pool, scope, params.id_transfer)
  },
}
