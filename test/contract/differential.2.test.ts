import { describeDifferential } from './differential/describe';

describeDifferential(2);
