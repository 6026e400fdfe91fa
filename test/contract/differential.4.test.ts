import { describeDifferential } from './differential/describe';

describeDifferential(4);
