/** The values of the parameter of this name. */
export type TriggerOn = 'runAgain' | 'attention' | 'summary';
