/** Where there is nothing to show. */
export const none = <span class="quiet">–</span>
