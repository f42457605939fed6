import { createRoot } from 'react-dom/client'

/** React with one field and nothing else: the least that a page of this app can begin with. */
const place = document.createElement('div')
document.body.append(place)
createRoot(place).render(<input aria-label="Name" data-index="0" />)
