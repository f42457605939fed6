/** The id of the search on the home page. The header's button goes there. */
export const searchPanelId = 'patient-search'
