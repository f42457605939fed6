import type { transferEndpoints } from '#contract/stock/transfers.ts'
import { changeTransfer, createTransfer } from '#server/features/stock/transfers/draft-transfer.ts'
import { cancelTransfer, closeTransfer, receiveTransfer, sendTransfer } from '#server/features/stock/transfers/move-transfer.ts'
import { listTransfers, readTransfer } from '#server/features/stock/transfers/read-transfers.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

export const transferHandlers: HandlersOf<keyof typeof transferEndpoints> = {
  async listTransfers({ services, scope, query }) {
    return await listTransfers(services.db.reads, scope.store_id, query.tab, query.page)
  },

  async readTransfer({ services, scope, params }) {
    return await readTransfer(services.db.reads, scope, params.id_transfer)
  },

  async createTransfer({ services, scope, body: { id_transfer, ...draft } }) {
    const id = id_transfer.toLowerCase()
    await createTransfer(services, scope, id, draft)
    return await readTransfer(services.db.reads, scope, id)
  },

  async changeTransfer({ services, scope, params, body }) {
    await changeTransfer(services, scope, params.id_transfer.toLowerCase(), body)
    return await readTransfer(services.db.reads, scope, params.id_transfer)
  },

  async sendTransfer({ services, scope, params, body }) {
    await sendTransfer(services, scope, params.id_transfer, body.version)
    return await readTransfer(services.db.reads, scope, params.id_transfer)
  },

  async receiveTransfer({ services, scope, params, body }) {
    const arrivals = await receiveTransfer(services, scope, params.id_transfer, body.pieces)
    return { arrivals, transfer: await readTransfer(services.db.reads, scope, params.id_transfer) }
  },

  async closeTransfer({ services, scope, params, body }) {
    await closeTransfer(services, scope, params.id_transfer, body.version, body.discrepancy)
    return await readTransfer(services.db.reads, scope, params.id_transfer)
  },

  async cancelTransfer({ services, scope, params, body }) {
    await cancelTransfer(services, scope, params.id_transfer, body.version)
    return await readTransfer(services.db.reads, scope, params.id_transfer)
  },
}
