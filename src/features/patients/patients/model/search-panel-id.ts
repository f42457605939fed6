/** The id of the search on the home page: the header leads to it there. */
export const searchPanelId = 'patient-search'
