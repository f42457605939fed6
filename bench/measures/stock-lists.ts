import { demoStores } from '#server/demo/demo-clinic.ts'
import { filled, inPage, type Measure } from '../bench.ts'
import type { ListQuestion } from '../page/stock-lists.ts'
import { atMost, ratio, told, type Section } from '../section.ts'
import { at, pairedRatio } from '../statistics.ts'

const blocks = 12

export const stockList: Measure = {
  name: 'stock-list',
  async run(bench): Promise<Section> {
    await filled(bench, ['ours', 'raw'])
    const some = bench.frames[bench.frames.length >> 1]!
    const questions: ListQuestion[] = [
      { name: 'everything, by brand and model', view: 'frames', filters: {}, order: 'model' },
      { name: 'everything, by price', view: 'frames', filters: {}, order: 'dearest' },
      { name: 'one store, by tag', view: 'frames', filters: { store: String(some.store_id) }, order: 'sku' },
      { name: 'one brand', view: 'frames', filters: { brand: String(some.brand_id) }, order: 'model' },
      {
        name: 'in stock, 100 to 150, not seen for 90 days',
        view: 'frames',
        filters: { status: 'in-stock', priceMin: '100', priceMax: '150', unseenDays: '90' },
        order: 'unseen',
      },
      { name: 'a part of a name or code', view: 'frames', filters: { search: some.title_product.slice(0, 4) }, order: 'model' },
      { name: 'by model, what is in stock', view: 'models', filters: {}, order: 'model' },
    ]
    const stores = demoStores.map(({ store_id, store_name, short_name }) => ({ store_id, store_name, short_name }))
    const found = await inPage(bench, 'listStock', questions, stores, blocks)
    const rows = Object.entries(found)
    const ofRaw = rows.map(([, { ours, raw }]) => pairedRatio(ours, raw))
    return {
      name: 'stock-list',
      title: `The inventory’s lists over ${told(bench.frames.length)} frames`,
      head: ['', 'rows', 'ours p50, ms', 'p95, ms', 'of raw, p50', 'longest turn, ms'],
      rows: rows.map(([name, { ours, rows: count, longestTask }], index) => [
        name,
        told(count),
        told(at(0.5, ours.flat())),
        told(at(0.95, ours.flat())),
        ratio(ofRaw[index]!),
        told(longestTask),
      ]),
      goals: [
        atMost('of raw rows, filtered and sorted alike, the slowest list', Math.max(...ofRaw.map(({ median }) => median)), 0.5),
        atMost('longest time for which a list kept the page', Math.max(...rows.map(([, { longestTask }]) => longestTask)), 50, ' ms'),
      ],
      notes: ['Raw reads all rows of its table for each list and filters and sorts them by the same rules.'],
    }
  },
}
