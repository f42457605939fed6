import { openCursorPage } from './raw-store.ts'

/** The page that reads 50 rows by cursor from the large database and shows them: the reference for a cold start. */
async function show(): Promise<void> {
  const rows = await openCursorPage('bench-raw', 50)
  const list = document.createElement('ul')
  for (const row of rows) {
    const item = document.createElement('li')
    item.dataset['index'] = String(row.id_inventory)
    item.textContent = `${row.sku} ${row.brand_name} ${row.title_product} ${row.board_location ?? ''}`
    list.append(item)
  }
  document.body.append(list)
}

if (new URL(location.href).searchParams.has('install')) {
  navigator.serviceWorker.register('/bench/bare-worker.js', { scope: '/' }).catch(reportError)
} else {
  show().catch(reportError)
}
